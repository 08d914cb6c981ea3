package roll.env.terminal.task;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import roll.api.workspace.WorkspaceTemplate;

/**
 * The beginning of a workspace.
 *
 * @param image name of a container image that has everything, or null for this machine's programs
 * @param directory absolute path of the working directory, or null for the provider's own
 * @param copies files to copy, in order
 */
public record TaskStart(@Nullable String image, @Nullable String directory, List<FileCopy> copies) {
  /** Copies the list. */
  public TaskStart {
    copies = List.copyOf(copies);
  }

  /**
   * A copy into the workspace.
   *
   * @param source a file, or a folder whose content is copied
   * @param target relative to the working directory; empty for itself
   */
  public record FileCopy(Path source, String target) {
    /** Whether the copy is the whole workspace. */
    boolean isWhole() {
      return target.isEmpty() && Files.isDirectory(source, LinkOption.NOFOLLOW_LINKS);
    }
  }

  /**
   * Returns the template of the workspace.
   *
   * @param folder for its files if they are gathered from several places; created if needed
   */
  public WorkspaceTemplate template(Path folder) {
    return new WorkspaceTemplate(gathered(folder), image, directory);
  }

  private @Nullable Path gathered(Path folder) {
    if (copies.isEmpty()) {
      return null;
    }
    if (copies.size() == 1 && copies.getFirst().isWhole()) {
      return copies.getFirst().source();
    }
    try {
      for (FileCopy copy : copies) {
        copyTree(copy.source(), folder.resolve(copy.target()));
      }
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Copies links as links: what they point to may not belong to the task. */
  private static void copyTree(Path source, Path target) throws IOException {
    try (Stream<Path> files = Files.walk(source)) {
      for (Path file : files.toList()) {
        Path copy = target.resolve(source.relativize(file).toString());
        if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
          Files.createDirectories(copy);
        } else {
          Files.createDirectories(copy.toAbsolutePath().getParent());
          Files.copy(
              file,
              copy,
              LinkOption.NOFOLLOW_LINKS,
              StandardCopyOption.COPY_ATTRIBUTES,
              StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
  }
}
