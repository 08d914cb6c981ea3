package roll.cluster.inference.folder;

import java.nio.file.Path;
import java.util.List;
import roll.cluster.services.codec.ByteReader;
import roll.cluster.services.codec.ByteWriter;
import roll.cluster.services.codec.MalformedMessageException;

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
     * @throws MalformedMessageException if it does not
     */
    public FileOffer {
      boolean plain =
          !name.isEmpty()
              && !name.startsWith(".")
              && name.chars().noneMatch(c -> "/\\\0".indexOf(c) >= 0);
      if (!plain || size < 0 || !digest.matches("[0-9a-f]{64}")) {
        throw new MalformedMessageException("no file is named '" + name + "'");
      }
    }
  }

  /** Writes all of it. */
  public static void write(ByteWriter out, FolderOffer offer) {
    out.text(offer.path.toString())
        .list(offer.files, (to, file) -> to.text(file.name).int64(file.size).text(file.digest));
  }

  /** As {@link #write} wrote it. */
  public static FolderOffer read(ByteReader in) {
    return new FolderOffer(
        Path.of(in.text()), in.list(from -> new FileOffer(from.text(), from.int64(), from.text())));
  }
}
