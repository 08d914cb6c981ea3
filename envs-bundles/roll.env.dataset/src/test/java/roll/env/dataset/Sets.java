package roll.env.dataset;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import roll.api.dataset.DataSetReader;
import roll.api.dataset.Row;
import roll.testkit.TestOptions;

/** Data sets without files: a name is what it has, {@code 10} is ten questions. */
final class Sets {
  private Sets() {}

  /** A reader to which {@code 10} is a file of ten questions. */
  static DataSetReader numbered() {
    return files ->
        files.stream()
            .flatMap(
                file ->
                    IntStream.range(0, Integer.parseInt(file.toString()))
                        .mapToObj(
                            i -> row(file, i, Map.of("question", "q" + i, "answer", "a" + i))))
            .toList();
  }

  /** A reader that returns these rows for any files. */
  static DataSetReader of(List<Map<String, Object>> rows) {
    return files ->
        IntStream.range(0, rows.size())
            .mapToObj(i -> row(Path.of("set.jsonl"), i, rows.get(i)))
            .toList();
  }

  private static Row row(Path file, int number, Map<String, Object> fields) {
    return new Row(file, number + 1, fields);
  }

  static DatasetScenario scenario(DataSetReader sets, Map<String, @Nullable Object> config) {
    Map<String, @Nullable Object> all = new HashMap<>(config);
    all.putIfAbsent("train_files", "10");
    return DatasetScenario.of(
        TestOptions.of("env_config", all, new DatasetEnvironment(sets).options()), sets);
  }
}
