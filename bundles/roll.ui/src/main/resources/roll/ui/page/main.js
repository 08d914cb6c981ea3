const answer = await (await fetch('/api/runs')).json();
document.getElementById('view').textContent = answer.runs.map(run => run.name).join('\n');
