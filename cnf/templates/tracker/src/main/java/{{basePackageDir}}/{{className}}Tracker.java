package {{basePackageName}};

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.osgi.service.component.annotations.Component;
import roll.api.option.Option;
import roll.api.option.UserException;
import roll.api.tracking.RollTracker;
import roll.api.tracking.Tracker;
import roll.api.tracking.Tracking;

/** Writes {@code {{projectName}}.csv} in the run's folder: step, metric and value in each row. */
@Component(name = "{{projectName}}")
@RollTracker("{{projectName}}")
public final class {{className}}Tracker implements Tracker {
  private static final Option<String> SEPARATOR =
      Option.text("separator", "separator of the columns").withDefault(",");

  /** The options in {@code tracker_kwargs.{{projectName}}}. */
  @Override
  public List<Option<?>> options() {
    return List.of(SEPARATOR);
  }

  @Override
  public Tracking open(TrackedRun run) {
    Path file = run.folder().resolve("{{projectName}}.csv");
    Rows rows = new Rows(file, run.options().get(SEPARATOR));
    rows.cutBack(run.firstStep());
    return rows;
  }

  /** The metrics file of a run. Each step is written when it is logged, so a crash loses nothing. */
  private record Rows(Path file, String separator) implements Tracking {
    /** Drops the rows of steps that a resumed run repeats. */
    void cutBack(int firstStep) {
      try {
        if (Files.exists(file)) {
          List<String> kept =
              Files.readAllLines(file).stream().filter(row -> step(row) < firstStep).toList();
          Path beside = file.resolveSibling(file.getFileName() + ".new");
          Files.write(beside, kept);
          Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
        }
      } catch (IOException e) {
        throw failed(e);
      }
    }

    private int step(String row) {
      String first = row.split(java.util.regex.Pattern.quote(separator), 2)[0];
      try {
        return Integer.parseInt(first);
      } catch (NumberFormatException e) {
        throw new UserException(file + ": expected a step, found '" + first + "'", e);
      }
    }

    @Override
    public void log(int step, Map<String, Double> metrics) {
      List<String> rows = new ArrayList<>();
      metrics.forEach(
          (name, value) -> {
            String cell = "\"" + name.replace("\"", "\"\"") + "\"";
            rows.add(step + separator + cell + separator + value);
          });
      try {
        Files.write(file, rows, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      } catch (IOException e) {
        throw failed(e);
      }
    }

    /** Does nothing, since every step is written at once. */
    @Override
    public void flush() {}

    @Override
    public void close() {}

    private UserException failed(IOException e) {
      return new UserException(file + ": cannot be written: " + e.getMessage(), e);
    }
  }
}
