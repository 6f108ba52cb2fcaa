// Colour scheme, set before the first paint: the user's choice, or else the system's.
{
  const chosen = localStorage.getItem("bearoff.theme");
  if (chosen) document.documentElement.dataset.theme = chosen;
}
