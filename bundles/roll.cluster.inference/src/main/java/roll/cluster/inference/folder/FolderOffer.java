package roll.cluster.inference.folder;

import java.nio.file.Path;
import java.util.List;

/**
 * What is in a folder of the node that offers it.
 *
 * @param path there
 * @param files directly in it, in the order of their names
 */
public record FolderOffer(Path path, List<FileOffer> files) {
  /** A list nobody changes. */
  public FolderOffer {
    files = List.copyOf(files);
  }

  /**
   * One file.
   *
   * @param name without a folder
   * @param size in bytes
   * @param digest its SHA-256, in hexadecimal digits
   */
  public record FileOffer(String name, long size, String digest) {
    /**
     * A file with a name that stays in its folder.
     *
     * @throws IllegalArgumentException if it does not
     */
    public FileOffer {
      boolean plain =
          !name.isEmpty()
              && !name.startsWith(".")
              && name.chars().noneMatch(c -> "/\\\0".indexOf(c) >= 0);
      if (!plain || size < 0 || !digest.matches("[0-9a-f]{64}")) {
        throw new IllegalArgumentException("no file is named '" + name + "'");
      }
    }
  }
}
