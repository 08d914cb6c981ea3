package roll.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Suggests a correction for a path without a model. */
public final class ModelFolderHint {
  private static final Pattern CHECKPOINT = Pattern.compile("checkpoint-(\\d{1,9})");
  private static final Pattern HUB = Pattern.compile("(\\w[\\w.-]*)/(\\w[\\w.-]*)");

  /** Folder for models in all examples. */
  private static final String FOLDER = "models";

  private static final int SHOWN = 3;

  private ModelFolderHint() {}

  /**
   * Returns the end of an error message about {@code written}: the newest checkpoint of a run's
   * folder, the model folders in it, the folder of a file, or the command that downloads a model of
   * this name from a hub, or the most similar name beside a missing folder; empty if none of these
   * applies.
   */
  public static String of(Path written) {
    if (Files.isDirectory(written)) {
      return newest(written)
          .map(checkpoint -> "; it is the folder of a run: write " + checkpoint)
          .orElseGet(() -> models(written));
    }
    Path parent = written.getParent();
    if (Files.isRegularFile(written)) {
      return "; it is a file" + (parent == null ? "" : ": write its folder, " + parent);
    }
    Matcher name = HUB.matcher(written.toString());
    if (!name.matches() || parent == null || Files.exists(parent)) {
      return Files.exists(written) ? "" : Suggestion.beside(written);
    }
    return name.group(1).equals(FOLDER)
        ? "; fetch it by `hf download <owner>/%s --local-dir %s`".formatted(name.group(2), written)
        : "; a model of that name is fetched by `hf download %s --local-dir models/%s`: write models/%2$s"
            .formatted(written, name.group(2));
  }

  private static Optional<Path> newest(Path folder) {
    try (Stream<Path> inside = Files.list(folder)) {
      return inside
          .filter(path -> number(path) >= 0 && Files.isDirectory(path))
          .max(Comparator.comparingInt(ModelFolderHint::number));
    } catch (IOException e) {
      return Optional.empty(); // only a hint is lost
    }
  }

  private static String models(Path folder) {
    try (Stream<Path> inside = Files.list(folder)) {
      List<String> models =
          inside
              .filter(path -> Files.isRegularFile(path.resolve("config.json")))
              .map(Path::toString)
              .sorted()
              .limit(SHOWN + 1L)
              .toList();
      return models.isEmpty()
          ? ""
          : "; models in this folder: "
              + String.join(", ", models.subList(0, Math.min(SHOWN, models.size())))
              + (models.size() > SHOWN ? ", …" : "");
    } catch (IOException e) {
      return ""; // only a hint is lost
    }
  }

  private static int number(Path path) {
    Matcher name = CHECKPOINT.matcher(String.valueOf(path.getFileName()));
    return name.matches() ? Integer.parseInt(name.group(1)) : -1;
  }
}
