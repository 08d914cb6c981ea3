import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The time budgets of a build's rings and modules, from a file that explains its format. */
class Budgets {
  private static final String LINE = "(ring|module)\\s+\\S+\\s+[\\d.]+\\s+[\\d.]+";
  private static final String OTHERS = "*";

  private final Path file;
  private final Map<String, Map<String, TimingRecords.Usage>> allowed =
      Map.of("ring", new HashMap<>(), "module", new HashMap<>());

  private Budgets(Path file) {
    this.file = file;
  }

  static Budgets read(Path file) throws IOException, Mistake {
    Budgets budgets = new Budgets(file);
    List<String> lines = Files.readAllLines(file);
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      if (!line.matches(LINE)) {
        throw new Mistake(
            2,
            "%s:%d: '%s' is not 'ring|module <name> <processor seconds> <wall seconds>'"
                .formatted(file, i + 1, line));
      }
      String[] fields = line.split("\\s+");
      TimingRecords.Usage usage =
          new TimingRecords.Usage(Double.parseDouble(fields[3]), Double.parseDouble(fields[2]));
      budgets.allowed.get(fields[0]).put(fields[1], usage);
    }
    return budgets;
  }

  /** Returns a line for each ring and module, and each of its two times, over budget. */
  List<String> warnings(TimingRecords times) {
    List<String> warnings = new ArrayList<>();
    times.sums(TimingRecords.TestTime::ring).stream()
        .filter(sum -> !sum.name().equals(TimingRecords.UNKNOWN))
        .forEach(sum -> check("ring", sum, warnings));
    times.sums(TimingRecords.TestTime::module).forEach(sum -> check("module", sum, warnings));
    return warnings;
  }

  private void check(String kind, TimingRecords.Total sum, List<String> warnings) {
    Map<String, TimingRecords.Usage> budgets = allowed.get(kind);
    TimingRecords.Usage budget = budgets.getOrDefault(sum.name(), budgets.get(OTHERS));
    if (budget == null) {
      warnings.add("%s %s has no budget in %s".formatted(kind, sum.name(), file));
    } else {
      compare(kind, sum.name(), sum.all().processor(), budget.processor(), "processor", warnings);
      compare(kind, sum.name(), sum.all().wall(), budget.wall(), "wall", warnings);
    }
  }

  private void compare(
      String kind, String name, double found, double most, String time, List<String> warnings) {
    if (found > most) {
      warnings.add(
          "%s %s took %s s of %s time, %s has %s s"
              .formatted(
                  kind,
                  name,
                  TimingRecords.Usage.text(found),
                  time,
                  file,
                  TimingRecords.Usage.text(most)));
    }
  }
}
