import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the rings and modules of a build may take, of a file that explains its own format. */
class Budgets {
  private static final String LINE = "(ring|module)\\s+\\S+\\s+[\\d.]+\\s+[\\d.]+";
  private static final String OTHERS = "*";

  private final Path file;
  private final Map<String, Map<String, Spent>> allowed =
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
      Spent spent = new Spent(Double.parseDouble(fields[3]), Double.parseDouble(fields[2]));
      budgets.allowed.get(fields[0]).put(fields[1], spent);
    }
    return budgets;
  }

  /** A line for each ring and module, and each of its two times, that is over its budget. */
  List<String> warnings(Times times) {
    List<String> warnings = new ArrayList<>();
    times.sums(TestTime::ring).stream()
        .filter(sum -> !sum.name().equals(TestTime.UNKNOWN))
        .forEach(sum -> check("ring", sum, warnings));
    times.sums(TestTime::module).forEach(sum -> check("module", sum, warnings));
    return warnings;
  }

  private void check(String kind, TimeSum sum, List<String> warnings) {
    Map<String, Spent> budgets = allowed.get(kind);
    Spent budget = budgets.getOrDefault(sum.name(), budgets.get(OTHERS));
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
              .formatted(kind, name, Spent.text(found), time, file, Spent.text(most)));
    }
  }
}
