//! Mean rolls and roll distribution of positions, from a one-sided table.
//!
//!     rustc -O one_sided.rs && ./one_sided FOLDER 3,3,2,0,2,1 ...
//!
//! Each line: number, mean rolls, and the chances to need exactly 0, 1, ... rolls.
//! readers/README.md describes the files.

use std::fs::File;
use std::io::{Error, Read, Result, Seek, SeekFrom};

/// An `.npy` file of version 1.
struct Array {
    file: File,
    data: u64,
    item: u64,
    columns: u64,
}

impl Array {
    fn open(folder: &str, name: &str) -> Result<Array> {
        let mut file = File::open(format!("{folder}/{name}.npy"))?;
        let mut start = [0; 10];
        file.read_exact(&mut start)?;
        let length = u64::from(start[8]) + 256 * u64::from(start[9]);
        let mut head = vec![0; length as usize];
        file.read_exact(&mut head)?;
        let head = String::from_utf8_lossy(&head);
        let after = |key: &str| head.split(key).nth(1).unwrap_or("");
        // Such as <f8 or |u1: the last character is the number of bytes.
        let kind = after("'descr': '").split('\'').next().unwrap_or("");
        let item = kind.chars().last().and_then(|c| c.to_digit(10));
        let shape = after("'shape': (").split(')').next().unwrap_or("");
        let columns = shape.split(',').nth(1).and_then(|n| n.trim().parse().ok());
        if !start.starts_with(b"\x93NUMPY\x01") || item.is_none() {
            return Err(Error::other(format!("{name}.npy is no .npy file of version 1")));
        }
        Ok(Array {
            file,
            data: 10 + length,
            item: u64::from(item.unwrap_or(1)),
            columns: columns.unwrap_or(1),
        })
    }

    /// Read `count` elements from element `first` on, each as its bytes.
    fn take(&mut self, first: u64, count: u64) -> Result<Vec<[u8; 8]>> {
        let mut bytes = vec![0; (count * self.item) as usize];
        self.file.seek(SeekFrom::Start(self.data + first * self.item))?;
        self.file.read_exact(&mut bytes)?;
        let widened = |part: &[u8]| {
            let mut element = [0; 8];
            element[..part.len()].copy_from_slice(part);
            element
        };
        Ok(bytes.chunks(self.item as usize).map(widened).collect())
    }

    fn integers(&mut self, first: u64, count: u64) -> Result<Vec<u64>> {
        Ok(self.take(first, count)?.into_iter().map(u64::from_le_bytes).collect())
    }

    fn floats(&mut self, first: u64, count: u64) -> Result<Vec<f64>> {
        Ok(self.take(first, count)?.into_iter().map(f64::from_le_bytes).collect())
    }
}

/// C(n, k), exact: each product is one before it is divided.
fn choose(n: u64, k: u64) -> u64 {
    (1..=k).fold(1, |result, i| result * (n - k + i) / i)
}

/// Number of the position with `counts[0]` checkers on the ace, ... (docs/tables.md).
fn rank(counts: &[u64]) -> u64 {
    let (mut number, mut above) = (0, 0);
    for (beyond, count) in counts.iter().rev().enumerate() {
        above += count;
        number += choose(above + beyond as u64, beyond as u64 + 1);
    }
    number
}

/// Chances of a table stored in full: a row. Of a coded one: differences of the codes.
fn distribution(folder: &str, number: u64) -> Result<Vec<f64>> {
    if let Ok(mut rows) = Array::open(folder, "distribution") {
        return rows.floats(number * rows.columns, rows.columns);
    }
    let place = number % 16;
    let group = Array::open(folder, "lengths")?.integers(number - place, place + 1)?;
    let start = Array::open(folder, "starts")?.integers(number / 16, 1)?[0];
    let first = Array::open(folder, "firsts")?.integers(number, 1)?[0];
    let (length, before) = group.split_last().expect("one or more");
    let codes = Array::open(folder, "codes")?.integers(start + before.iter().sum::<u64>(), *length)?;
    let within = codes.iter().map(|&code| code as f64 / 65536.0).chain([1.0]);
    let mut chances = vec![0.0; first as usize];
    let mut last = 0.0;
    for chance in within {
        chances.push(chance - last);
        last = chance;
    }
    Ok(chances)
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (folder, positions) = arguments.split_first().expect("FOLDER COUNTS ...");
    let mut means = Array::open(folder, "mean_rolls")?;
    for position in positions {
        let counts: Vec<u64> = position.split(',').map(|n| n.parse().expect("counts")).collect();
        let number = rank(&counts);
        let chances = distribution(folder, number)?;
        let texts: Vec<String> = chances.iter().map(f64::to_string).collect();
        println!("{number} {} {}", means.floats(number, 1)?[0], texts.join(" "));
    }
    Ok(())
}
