// Colour scheme, set before the first paint: as chosen earlier, or the system's.
{
  const chosen = localStorage.getItem("bearoff.theme");
  if (chosen) document.documentElement.dataset.theme = chosen;
}
