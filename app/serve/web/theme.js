// Light or dark as chosen before, set before the first paint; else as the system prefers.
{
  const chosen = localStorage.getItem("bearoff.theme");
  if (chosen) document.documentElement.dataset.theme = chosen;
}
