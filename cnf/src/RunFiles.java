import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The files of a run, without values that depend on clock and process. */
record RunFiles(Map<String, String> contents) {
  /** Metrics that depend on clock and machine. */
  private static final Pattern CLOCK =
      Pattern.compile(
          "time/|idle/|memory|system/(cpu|disk)|/tps$|vllm/(.*_second|.*_seconds_|time_|step_overhead)");

  /** Metrics that also depend on the nodes of the run. */
  private static final Pattern NODES =
      Pattern.compile(CLOCK.pattern() + "|^vllm/|^cluster/|max_memory");

  private static final Pattern IGNORED =
      Pattern.compile("\\.lock|run\\.log.*|tensorboard/.*|times/.*");
  private static final Pattern METRIC = Pattern.compile("\"([^\"]+)\":([^,}{]+)");
  private static final Pattern EPISODE = Pattern.compile("\\{\"id\":\"([^\"]+)\"");
  private static final Pattern STEP = Pattern.compile("\\{\"step\":(\\d+),.*");

  /** Reads {@code output}: bytes in hexadecimal, metrics as text. */
  static RunFiles of(Path output) throws IOException {
    RunFiles all = of(output, CLOCK);
    all.contents.put("tensorboard", events(output));
    return all;
  }

  /**
   * Reads {@code output} without values that depend on the nodes; not for runs with TensorBoard.
   */
  static RunFiles acrossNodes(Path output) throws IOException {
    RunFiles all = of(output, NODES);
    all.contents.keySet().removeIf(name -> name.startsWith("cluster/"));
    return all;
  }

  private static RunFiles of(Path output, Pattern without) throws IOException {
    Map<String, String> contents = new TreeMap<>();
    for (Path file : files(output)) {
      String name = output.relativize(file).toString();
      if (name.equals("metrics.jsonl")) {
        contents.put(name, metrics(file, without));
      } else if (!IGNORED.matcher(name).matches()) {
        contents.put(name, HexFormat.of().formatHex(Files.readAllBytes(file)));
      }
    }
    return new RunFiles(contents);
  }

  /** Returns the first difference of {@code found}; empty if equal. */
  String difference(RunFiles found) {
    if (!found.contents.keySet().equals(contents.keySet())) {
      return "other files: " + found.contents.keySet();
    }
    return contents.keySet().stream()
        .filter(name -> !contents.get(name).equals(found.contents.get(name)))
        .map(name -> name + " differs")
        .findFirst()
        .orElse("");
  }

  /**
   * Checks a run without fixed numbers: metrics for every step in order, the same checkpoints with
   * the same files, no incomplete file, and the same trained episodes, each once. Returns what is
   * missing.
   */
  String lack(Path output) throws IOException {
    List<Integer> steps =
        Files.readAllLines(output.resolve("metrics.jsonl")).stream()
            .map(STEP::matcher)
            .map(line -> line.matches() ? Integer.parseInt(line.group(1)) : -1)
            .toList();
    if (!steps.equals(IntStream.range(0, steps.size()).boxed().toList())
        || steps.size() != contents.get("metrics.jsonl").lines().count()) {
      return "metrics of steps " + steps;
    }
    List<String> expected = checkpoints(contents.keySet().stream());
    List<String> found = checkpoints(files(output).stream().map(output::relativize));
    return expected.equals(found) ? otherEpisodes(of(output, CLOCK)) : "checkpoints " + found;
  }

  /** Returns the trained episodes of {@code found} that are lost, others or doubled. */
  String otherEpisodes(RunFiles found) {
    List<String> expected = new ArrayList<>(episodes());
    List<String> trained = new ArrayList<>(found.episodes());
    List<String> lost = new ArrayList<>(expected);
    trained.forEach(lost::remove);
    expected.forEach(trained::remove);
    return lost.isEmpty() && trained.isEmpty()
        ? ""
        : "%d of %d episodes lost: %s; too many: %s"
            .formatted(lost.size(), expected.size(), lost, trained);
  }

  /** Returns the ids of the episodes in the trajectory files, in no order. */
  List<String> episodes() {
    return contents.entrySet().stream()
        .filter(file -> file.getKey().startsWith("trajectories/"))
        .map(file -> new String(HexFormat.of().parseHex(file.getValue()), UTF_8))
        .flatMap(String::lines)
        .map(EPISODE::matcher)
        .filter(Matcher::lookingAt)
        .map(line -> line.group(1))
        .toList();
  }

  private static List<String> checkpoints(Stream<?> names) {
    return names
        .map(Object::toString)
        .filter(name -> name.contains("checkpoint-"))
        .sorted()
        .toList();
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  /** Deletes {@code folder}, if it exists, and creates its parent. */
  static void delete(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> entries = Files.walk(folder)) {
        for (Path entry : entries.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(entry);
        }
      }
    }
    Files.createDirectories(folder.getParent());
  }

  private static String metrics(Path file, Pattern without) throws IOException {
    StringBuilder text = new StringBuilder();
    for (String line : Files.readAllLines(file)) {
      Map<String, String> values = new TreeMap<>();
      Matcher metric = METRIC.matcher(line);
      while (metric.find()) {
        if (!without.matcher(metric.group(1)).find()) {
          values.put(metric.group(1), metric.group(2));
        }
      }
      text.append(values).append('\n');
    }
    return text.toString();
  }

  /**
   * Returns the number of scalars in event files by step; their values are those of metrics.jsonl.
   */
  private static String events(Path output) throws IOException {
    Map<Long, Integer> scalars = new TreeMap<>();
    try (Stream<Path> files = Files.list(output.resolve("tensorboard"))) {
      for (Path file : files.toList()) {
        ByteBuffer in = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        while (in.hasRemaining()) {
          byte[] event = new byte[(int) in.getLong()];
          in.getInt();
          in.get(event).getInt();
          count(ByteBuffer.wrap(event), scalars);
        }
      }
    }
    return scalars.toString();
  }

  /**
   * Parses an event: wall time (1, eight bytes), step (2), and as field 5 a summary of scalars (1).
   */
  private static void count(ByteBuffer event, Map<Long, Integer> scalars) {
    long step = 0;
    while (event.hasRemaining()) {
      int tag = event.get();
      if (tag == 9) {
        event.getLong();
      } else if (tag == 16) {
        step = number(event);
      } else {
        int length = (int) number(event);
        ByteBuffer bytes = event.slice(event.position(), length);
        event.position(event.position() + length);
        while (tag == 42 && bytes.hasRemaining()) {
          bytes.get();
          int scalar = (int) number(bytes);
          bytes.position(bytes.position() + scalar);
          scalars.merge(step, 1, Integer::sum);
        }
      }
    }
  }

  /** Parses a varint. */
  private static long number(ByteBuffer in) {
    long number = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = in.get();
      number |= (long) (next & 127) << shift;
      if (next >= 0) {
        return number;
      }
    }
  }
}
