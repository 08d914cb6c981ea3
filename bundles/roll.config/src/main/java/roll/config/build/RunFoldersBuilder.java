package roll.config.build;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import roll.config.schema.Section;
import roll.runtime.config.RunFoldersConfig;

/** Reads ROLL's folders beside the output folder. */
final class RunFoldersBuilder {
  /**
   * Pattern of addresses such as {@code oss://bucket}, which are refused instead of creating a
   * folder of that name.
   */
  private static final Pattern ADDRESS = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]+:/.*");

  private RunFoldersBuilder() {}

  /**
   * Returns the folders of {@code run}; null for one that is the output folder anyway.
   *
   * @throws roll.api.option.UserException if one is no folder of this machine
   */
  static RunFoldersConfig of(Section run) {
    String name = run.text("exp_name");
    Path output = Path.of(run.text("output_dir")).resolve(name);
    Path log = folder(run, "logging_dir");
    Path frames = folder(run, "render_save_dir");
    Path checkpoints =
        run.has("checkpoint_config")
            ? folder(run.section("checkpoint_config"), "output_dir")
            : null;
    return new RunFoldersConfig(
        other(log == null ? null : log.resolve(name), output),
        frames == null ? null : frames.resolve(name),
        other(checkpoints, output));
  }

  private static @Nullable Path folder(Section section, String key) {
    if (!section.has(key)) {
      return null;
    }
    String text = section.text(key);
    try {
      Path folder = Path.of(text);
      if (!text.isBlank() && !ADDRESS.matcher(text).matches()) {
        return folder;
      }
    } catch (InvalidPathException e) {
      // said below
    }
    throw section.wrong(key, "a folder of this machine");
  }

  private static @Nullable Path other(@Nullable Path folder, Path output) {
    return folder == null || same(folder, output) ? null : folder;
  }

  private static boolean same(Path one, Path other) {
    return one.toAbsolutePath().normalize().equals(other.toAbsolutePath().normalize());
  }
}
