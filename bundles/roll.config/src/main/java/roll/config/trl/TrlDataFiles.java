package roll.config.trl;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.config.tree.YamlTree;

/**
 * The local files of TRL's {@code dataset_name} or {@code datasets}: a file, or those in a folder
 * that are named for a split.
 *
 * @param beside folder of the configuration file
 */
record TrlDataFiles(TrlOptions options, Path beside) {
  private static final String NAME = "dataset_name";
  private static final String MIXTURE = "datasets";
  private static final int DEPTH = 4;

  /** From what is read first: of a data set that is there in several formats one is enough. */
  private static final List<String> FORMATS =
      List.of(".parquet", ".arrow", ".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".gz", ".zst");

  /** Returns the files of training. */
  List<String> train() {
    List<@Nullable Object> mixture = YamlTree.list(options.value(MIXTURE));
    if (mixture == null || mixture.isEmpty()) {
      return files(NAME, options.value(NAME), "dataset_config", "dataset_train_split");
    }
    options.idle(NAME, MIXTURE + " is given");
    List<String> files = new ArrayList<>();
    for (Object entry : mixture) {
      Map<String, @Nullable Object> set = YamlTree.mapping(entry);
      if (set == null) {
        throw options.wrong(MIXTURE, "a list of mappings with path", entry);
      }
      for (String key : set.keySet()) {
        if (!List.of("path", "name", "data_files", "split").contains(key)) {
          throw options.refused(MIXTURE, key, "all rows and columns of a data set are read");
        }
      }
      String split = String.valueOf(Objects.requireNonNullElse(set.get("split"), "train"));
      Path folder = found(MIXTURE, set.get("path"));
      List<@Nullable Object> named = YamlTree.list(set.get("data_files"));
      if (named != null) {
        named.forEach(file -> files.add(folder.resolve(String.valueOf(file)).toString()));
      } else if (set.get("data_files") != null) {
        files.add(folder.resolve(String.valueOf(set.get("data_files"))).toString());
      } else {
        files.addAll(split(MIXTURE, inner(folder, set.get("name")), split));
      }
    }
    return List.copyOf(files);
  }

  /** Returns the files of validation; empty where there is none. */
  List<String> validation() {
    if (options.text("eval_strategy").equals("no")) {
      return List.of();
    }
    return files(NAME, options.value(NAME), "dataset_config", "dataset_test_split");
  }

  private List<String> files(String key, @Nullable Object name, String config, String split) {
    if (name == null) {
      throw new UserException(
          "%s is missing: it names the local file or folder of the data"
              .formatted(options.where(key)));
    }
    Path place = found(key, name);
    return split(split, inner(place, options.value(config)), options.text(split));
  }

  private static Path inner(Path folder, @Nullable Object config) {
    Path inner = config == null ? folder : folder.resolve(String.valueOf(config));
    return Files.isDirectory(inner) ? inner : folder;
  }

  /** Looks for the file or folder {@code name} like for a model folder. */
  Optional<Path> place(String name) {
    return Stream.of(Path.of(name), beside.resolve(name), beside.resolve("..").resolve(name))
        .filter(Files::exists)
        .findFirst()
        .map(place -> place.toAbsolutePath().normalize());
  }

  /** Returns {@code written}, module.function or file.py:function, with the place of its file. */
  String function(String written) {
    int colon = written.lastIndexOf(':');
    return colon < 0
        ? written
        : place(written.substring(0, colon))
            .map(file -> file + written.substring(colon))
            .orElse(written);
  }

  private Path found(String key, @Nullable Object name) {
    String written = String.valueOf(name);
    return place(written)
        .orElseThrow(
            () ->
                new UserException(
                    "%s: no file or folder '%s' here or next to the configuration file; nothing is downloaded (hf download %s --repo-type dataset --local-dir data/%s, then %s=data/%s)"
                        .formatted(
                            options.where(key),
                            written,
                            written,
                            last(written),
                            key.equals(MIXTURE) ? "path" : key,
                            last(written))));
  }

  private static String last(String name) {
    return name.substring(name.lastIndexOf('/') + 1);
  }

  private List<String> split(String key, Path place, String split) {
    if (!split.matches("[\\w.-]+")) {
      throw options.refused(
          key, split, "a split is read as a whole (custom_envs.Trl.env_config.max_samples)");
    }
    if (Files.isRegularFile(place)) {
      return List.of(place.toString());
    }
    Pattern named =
        Pattern.compile(
            "(^|[^a-z])" + Pattern.quote(split.toLowerCase(Locale.ROOT)) + "([^a-z]|$)");
    try (Stream<Path> walked = Files.walk(place, DEPTH)) {
      List<Path> all = walked.filter(Files::isRegularFile).sorted().toList();
      for (String format : FORMATS) {
        List<String> found =
            all.stream()
                .filter(file -> file.toString().endsWith(format))
                .filter(
                    file ->
                        named
                            .matcher(place.relativize(file).toString().toLowerCase(Locale.ROOT))
                            .find())
                .map(Path::toString)
                .toList();
        if (!found.isEmpty()) {
          return found;
        }
      }
    } catch (IOException e) {
      throw new UserException(
          "%s: %s cannot be read (%s)".formatted(options.where(key), place, e.getMessage()), e);
    }
    if (split.equals("train")) {
      return List.of(place.toString());
    }
    throw new UserException(
        "%s: no file in %s is named for the split '%s'"
            .formatted(options.where(key), place, split));
  }
}
