package roll.dataset;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import roll.api.option.UserException;

/**
 * A data set that is a folder, as it is downloaded from where data sets are shared: which of its
 * files are meant by its name alone.
 */
final class DataFolder {
  /** From what is read first: of a data set that is there in several formats one is enough. */
  private static final List<String> FORMATS =
      List.of("parquet", "arrow", "jsonl", "ndjson", "json", "csv", "tsv");

  /** JSON files of a data set folder that hold metadata instead of rows. */
  private static final Set<String> NO_ROWS =
      Set.of("dataset_info.json", "dataset_infos.json", "dataset_dict.json", "state.json");

  private static final Pattern TRAIN = Pattern.compile("(^|[^a-z])train([^a-z]|$)");
  private static final int DEPTH = 4;

  private DataFolder() {}

  /**
   * The files of {@code folder} in the order of their names: those for training, if any is named
   * so, else all.
   *
   * @throws UserException if there are none, or more than one data set
   */
  static List<Path> files(Path folder) {
    List<Path> all = all(folder);
    for (String format : FORMATS) {
      List<Path> found =
          all.stream().filter(file -> FileFormats.ending(file).equals(format)).toList();
      if (!found.isEmpty()) {
        List<Path> train = found.stream().filter(file -> isTrain(folder, file)).toList();
        return one(folder, train.isEmpty() ? found : train);
      }
    }
    throw new UserException(
        folder + ": a folder without a file of " + String.join(", ", FORMATS) + " in it");
  }

  private static boolean isTrain(Path folder, Path file) {
    return TRAIN.matcher(folder.relativize(file).toString().toLowerCase(Locale.ROOT)).find();
  }

  /** Returns the files of one data set in a folder of several, chosen by the folder's name. */
  private static List<Path> one(Path folder, List<Path> files) {
    Set<String> folders =
        files.stream()
            .map(file -> String.valueOf(folder.relativize(file.resolveSibling(""))))
            .collect(Collectors.toCollection(TreeSet::new));
    if (folders.size() > 1) {
      throw new UserException(
          "%s: a folder of several data sets; name one of %s in it".formatted(folder, folders));
    }
    return files;
  }

  private static List<Path> all(Path folder) {
    try (Stream<Path> found = Files.walk(folder, DEPTH)) {
      return found
          .filter(file -> folder.relativize(file).toString().indexOf('.') != 0)
          .filter(file -> !NO_ROWS.contains(String.valueOf(file.getFileName())))
          .filter(Files::isRegularFile)
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UserException(folder + ": cannot be read (" + e.getMessage() + ")", e);
    }
  }
}
