//! Exact values of pairs of positions, from a two-sided table.
//!
//!     rustc -O two_sided.rs && ./two_sided FOLDER ROLLER OPPONENT ...
//!
//! Positions are written as 3,3,2,0,2,1. Each line: the numbers of roller and opponent,
//! then name and value of every plane. readers/README.md describes the files. Checksums
//! are not compared.

use std::fs::{read_to_string, File};
use std::io::{Read, Result, Seek, SeekFrom};

/// Codes of a point.
const ONE: f64 = 65535.0;

/// C(n, k), exact: each product is one before it is divided.
fn choose(n: i64, k: i64) -> i64 {
    (1..=k).fold(1, |result, i| result * (n - k + i) / i)
}

/// Number of the position with `counts[0]` checkers on the ace, ... (docs/tables.md).
fn rank(counts: &[i64]) -> i64 {
    let (mut number, mut above) = (0, 0);
    for (beyond, count) in (0..).zip(counts.iter().rev()) {
        above += count;
        number += choose(above + beyond, beyond + 1);
    }
    number
}

/// The inverse of `rank`: pips and checkers of the position with this number.
fn pips_and_checkers(mut number: i64, points: i64) -> (i64, i64) {
    let (mut pips, mut checkers) = (0, 0);
    for k in (1..=points).rev() {
        let above = (0..).find(|above| choose(above + k, k) > number).unwrap_or(0);
        number -= choose(above + k - 1, k);
        pips += above;
        checkers = checkers.max(above);
    }
    (pips, checkers)
}

/// First slot of each level, first block of each band, slot of each number.
struct Layout {
    levels: Vec<i64>,
    bands: Vec<i64>,
    slots: Vec<i64>,
}

impl Layout {
    fn new(points: i64, checkers: i64, start: i64) -> Layout {
        let (mut groups, mut sizes) = (Vec::new(), Vec::new());
        for number in 0..choose(points + checkers, points) {
            let (pips, on) = pips_and_checkers(number, points);
            let group = ((pips + 1) / 2 * 2) as usize + usize::from(on == start);
            sizes.resize(sizes.len().max(group / 2 * 2 + 2), 0);
            groups.push((group, sizes[group]));
            sizes[group] += 1;
        }
        let mut firsts = vec![0];
        for size in &sizes {
            firsts.push(firsts[firsts.len() - 1] + (size + 15) / 16 * 16);
        }
        let levels: Vec<i64> = firsts.iter().copied().step_by(2).collect();
        let mut bands = vec![0];
        for pair in levels.windows(2) {
            let blocks = (pair[1] - pair[0]) / 16;
            let parts = (blocks + 63) / 64;
            bands.extend((1..=parts).map(|k| pair[0] / 16 + blocks * k / parts));
        }
        let slots = groups.iter().map(|(group, before)| firsts[*group] + before).collect();
        Layout { levels, bands, slots }
    }

    /// Code of roller slot x against opponent slot y; none if there is no such plane.
    fn code(&self, folder: &str, plane: &str, x: i64, y: i64) -> Result<Option<i64>> {
        let Ok(mut index) = File::open(format!("{folder}/{plane}.index")) else {
            return Ok(None);
        };
        let mut file = File::open(format!("{folder}/{plane}.plane"))?;
        let band = self.bands.partition_point(|&first| first <= x / 16) - 1;
        let level = self.levels.partition_point(|&first| first <= y) - 1;
        let place = (band * (self.levels.len() - 1) + level) as i64;
        let place = words(&mut index, place * 8, 8)?;
        let wide = |part: &[u16]| part.iter().rev().fold(0, |sum, &w| sum << 16 | i64::from(w));
        let (at, rank) = (wide(&place[..4]), wide(&place[4..]));
        if at == 0 {
            return Ok(Some(0));
        }
        let blocks = self.bands[band + 1] - self.bands[band];
        let tiles = (self.levels[level + 1] - self.levels[level]) / 16;
        let (roller, opponent) = (x - 16 * self.bands[band], y - self.levels[level]);
        let u = words(&mut file, at + roller * rank, rank)?;
        let v = words(&mut file, at + (16 * blocks + opponent) * rank, rank)?;
        let product = u.iter().zip(&v).fold(2048i32, |sum, (&a, &b)| {
            sum.wrapping_add(i32::from(a as i16) * i32::from(b as i16))
        });
        let directory = at + 16 * (blocks + tiles) * rank;
        let tile = roller / 16 * tiles + opponent / 16;
        let head = words(&mut file, directory + 6 * tile, 6)?;
        let doubled = i64::from(head[1] >> 15);
        let row = (y % 16) as usize;
        // Four bits a row, from the third word on.
        let widths: Vec<i64> = (0..=row)
            .map(|r| i64::from(head[2 + r / 4] >> (4 * (r % 4)) & 15) << doubled)
            .collect();
        let start = wide(&head[..2]) & 0x7fff_ffff;
        let first = directory + 6 * blocks * tiles + start + widths[..row].iter().sum::<i64>();
        let bits = words(&mut file, first, widths[row])?;
        let mut rest = 0;
        for (j, word) in (1..).zip(bits) {
            let bit = i64::from(word >> (x % 16) & 1) << (j - 1);
            rest += if j < widths[row] { bit } else { -bit };
        }
        Ok(Some(i64::from(product >> 12) + rest))
    }
}

/// Read `count` words of 16 bits from word `first` on.
fn words(file: &mut File, first: i64, count: i64) -> Result<Vec<u16>> {
    let mut bytes = vec![0; 2 * count as usize];
    file.seek(SeekFrom::Start(2 * first as u64))?;
    file.read_exact(&mut bytes)?;
    Ok(bytes.chunks(2).map(|two| u16::from_le_bytes([two[0], two[1]])).collect())
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (folder, positions) = arguments.split_first().expect("FOLDER ROLLER OPPONENT ...");
    let manifest = read_to_string(format!("{folder}/table.json"))?;
    let setting = |key: &str| -> i64 {
        let text = manifest.split(&format!("\"{key}\":")).nth(1).expect("a manifest");
        let digits = text.trim_start().split(|c: char| !c.is_ascii_digit());
        digits.take(1).collect::<String>().parse().expect("a number")
    };
    let layout = Layout::new(setting("points"), setting("checkers"), setting("start"));
    for pair in positions.chunks_exact(2) {
        let number = |text: &String| {
            rank(&text.split(',').map(|n| n.parse().expect("counts")).collect::<Vec<i64>>())
        };
        let (roller, opponent) = (number(&pair[0]), number(&pair[1]));
        let (x, y) = (layout.slots[roller as usize], layout.slots[opponent as usize]);
        let read = |plane: &str| layout.code(folder, plane, x, y);
        let cubeless = read("cubeless")?.unwrap_or(0);
        print!("{roller} {opponent} cubeless {}", (1.0 + cubeless as f64 / (2.0 * ONE)) / 2.0);
        if let Some(code) = read("points")? {
            print!(" points {}", (cubeless + code) as f64 / (2.0 * ONE));
        }
        for plane in ["gammons_won", "gammons_lost"] {
            if let Some(code) = read(plane)? {
                print!(" {plane} {}", code as f64 / ONE);
            }
        }
        if let Some(code) = read("opponent")? {
            let opponent = code as f64 / (2.0 * ONE);
            print!(" opponent {opponent}");
            let centred = read("centred")?.unwrap_or(0);
            for (plane, base) in [("owned", 0), ("centred", 0), ("jacoby", centred)] {
                if let Some(code) = read(plane)? {
                    let kept = (base + code) as f64 / ONE;
                    print!(" {plane} {}", kept.max((2.0 * opponent).min(1.0)));
                }
            }
        }
        println!();
    }
    Ok(())
}
