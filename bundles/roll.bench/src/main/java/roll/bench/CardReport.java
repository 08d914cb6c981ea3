package roll.bench;

import com.google.gson.GsonBuilder;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The table of {@code bench card}, printed row by row, and written as Markdown and JSON after every
 * row, so that an interrupted run leaves what it measured.
 */
final class CardReport {
  private final BenchTable table;
  private final String machine;
  private final Path folder;
  private final List<Row> rows = new ArrayList<>();

  /**
   * A measurement.
   *
   * @param name what was measured, with its sizes
   * @param figure with its unit
   * @param anchor figures of others
   */
  record Row(String name, String figure, String anchor) {}

  /**
   * Prints the heading.
   *
   * @param machine description of device and libtorch
   * @param folder of the files {@code bench-card.md} and {@code bench-card.json}
   */
  CardReport(PrintStream out, String machine, Path folder) {
    this.machine = machine;
    this.folder = folder;
    out.println(machine);
    this.table = new BenchTable(out, 44, 30, "measured", "figure", "others");
  }

  /** Adds a row. */
  void add(String name, String figure, String anchor) throws IOException {
    table.row(name, figure, anchor);
    rows.add(new Row(name, figure, anchor));
    Files.createDirectories(folder);
    StringBuilder text = new StringBuilder();
    text.append(machine).append("\n\n| measured | figure | others |\n|---|---|---|\n");
    for (Row row : rows) {
      text.append("| %s | %s | %s |%n".formatted(row.name(), row.figure(), row.anchor()));
    }
    Files.writeString(folder.resolve("bench-card.md"), text);
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("machine", machine);
    all.put("rows", rows);
    Files.writeString(
        folder.resolve("bench-card.json"),
        new GsonBuilder().setPrettyPrinting().create().toJson(all) + "\n");
  }
}
