import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** TRL's GRPOTrainer. */
class TrlSide implements RaceSide {
  private static final Pattern PHASE =
      Pattern.compile("\"([a-z-]+)\": \\[([-0-9.e]+), ([-0-9.e]+)\\]");
  private static final Pattern TOKENS = Pattern.compile("\"tokens\": (\\d+)");

  private final String python;
  private final Path folder;
  private long tokens;

  TrlSide(String python, Path folder) {
    this.python = python;
    this.folder = folder;
  }

  @Override
  public String name() {
    return "TRL";
  }

  @Override
  public long tokens() {
    return tokens;
  }

  /** Writes random weights into the model folder and returns the versions of the libraries. */
  String writeWeights() throws IOException, InterruptedException {
    return start(List.of()).stream().filter(l -> l.startsWith("versions ")).findFirst().orElse("");
  }

  @Override
  public List<PhaseTimes> run(Workload workload, String dtype, int steps)
      throws IOException, InterruptedException {
    List<String> lines =
        start(
            List.of(
                "questions=" + folder.resolve(workload.name() + ".jsonl"),
                "steps=" + steps,
                "group=" + workload.group(),
                "rows=" + workload.samples(),
                "micro=" + workload.group(),
                "turns=" + workload.turns(),
                "response=" + workload.response(),
                "total=" + workload.total(),
                "observation=" + workload.observation(),
                "dtype=" + dtype));
    List<PhaseTimes> times = new ArrayList<>();
    for (String line : lines.stream().filter(line -> line.startsWith("step {")).toList()) {
      times.add(times(line));
      Matcher total = TOKENS.matcher(line);
      total.find();
      tokens = Long.parseLong(total.group(1));
    }
    return times;
  }

  private static PhaseTimes times(String line) {
    Map<String, Double> wall = new TreeMap<>();
    Map<String, Double> processor = new TreeMap<>();
    Matcher phase = PHASE.matcher(line);
    while (phase.find()) {
      wall.put(phase.group(1), Double.parseDouble(phase.group(2)));
      processor.put(phase.group(1), Double.parseDouble(phase.group(3)));
    }
    return new PhaseTimes(wall, processor);
  }

  private List<String> start(List<String> arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.addAll(List.of(python, "cnf/race/trl_race.py", "model=" + folder.resolve("model")));
    command.addAll(arguments);
    Path log = folder.resolve("trl.log");
    RaceSide.end(RaceSide.start(command, log), log);
    return Files.readAllLines(log);
  }
}
