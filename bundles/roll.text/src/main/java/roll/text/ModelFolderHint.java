package roll.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What a person may have meant by a path at which there is no model. */
public final class ModelFolderHint {
  private static final Pattern CHECKPOINT = Pattern.compile("checkpoint-(\\d{1,9})");
  private static final Pattern HUB = Pattern.compile("(\\w[\\w.-]*)/(\\w[\\w.-]*)");

  private ModelFolderHint() {}

  /**
   * The end of a complaint about {@code written}: the newest checkpoint of a run's folder, the
   * folder of a file, or how a model that a hub has under this name is fetched; empty where it is
   * none of these.
   */
  public static String of(Path written) {
    if (Files.isDirectory(written)) {
      return newest(written)
          .map(checkpoint -> "; it is the folder of a run: write " + checkpoint)
          .orElse("");
    }
    Path parent = written.getParent();
    if (Files.isRegularFile(written)) {
      return "; it is a file" + (parent == null ? "" : ": write its folder, " + parent);
    }
    Matcher name = HUB.matcher(written.toString());
    return name.matches() && parent != null && !Files.exists(parent)
        ? "; a model of that name is fetched by `hf download %s --local-dir models/%s`: write models/%2$s"
            .formatted(written, name.group(2))
        : "";
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

  private static int number(Path path) {
    Matcher name = CHECKPOINT.matcher(String.valueOf(path.getFileName()));
    return name.matches() ? Integer.parseInt(name.group(1)) : -1;
  }
}
