"""The live page: its HTML, and the script that starts the viewer in it."""

PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>murmurate</title>
<style>html,body{margin:0;height:100%}#murmurate{height:100%}noscript p{margin:2em}</style>
</head>
<body>
<noscript><p>This page shows a flock in flight, and needs JavaScript for it.</p></noscript>
<div id="murmurate"></div>
<script type="module" src="/start.js"></script>
</body>
</html>
"""
START = """\
const root = document.getElementById("murmurate");
const url = (location.protocol === "https:" ? "wss://" : "ws://") + location.host
  + "/ws" + location.search;
try {
  const viewer = await import("/viewer.js");
  await viewer.mountLive(root, {url});
} catch (error) {
  root.textContent = "The flock cannot be shown: " + error;
}
"""
