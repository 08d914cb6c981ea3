package roll.env.click_and_read.site;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import roll.api.option.UserException;

/**
 * Reads the HTML files below a folder. Symbolic links are not followed, since they may lead out of
 * it.
 */
public final class SiteFolder {
  private static final long LARGEST = 4L << 20;
  private static final int MOST = 10_000;

  private SiteFolder() {}

  /**
   * Returns path, relative to {@code folder} and with slashes, and content of every HTML file.
   *
   * @param where the option that names the folder, for messages
   * @throws UserException if there is none, or one cannot be read or is too large
   */
  static Map<String, Document> read(String where, Path folder) {
    Map<String, Document> documents = new TreeMap<>();
    files(where, folder).forEach((path, file) -> documents.put(path, parsed(file)));
    return documents;
  }

  /** Returns path on the site and file of every HTML file. */
  public static Map<String, Path> files(String where, Path folder) {
    if (!Files.isDirectory(folder)) {
      throw new UserException(where + ": no folder '" + folder + "'");
    }
    Map<String, Path> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(folder)) {
      all.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
          .filter(SiteFolder::html)
          .limit(MOST + 1L)
          .forEach(file -> files.put(path(folder, file), file));
    } catch (IOException | java.io.UncheckedIOException e) {
      throw new UserException(where + ": '" + folder + "' cannot be read", e);
    }
    if (files.isEmpty() || files.size() > MOST) {
      throw new UserException(
          where
              + ": expected a folder with 1 to "
              + MOST
              + " files .html or .htm, '"
              + folder
              + (files.isEmpty() ? "' has none" : "' has more"));
    }
    return files;
  }

  private static boolean html(Path file) {
    String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
    return name.endsWith(".html") || name.endsWith(".htm");
  }

  private static String path(Path folder, Path file) {
    return folder.relativize(file).toString().replace(file.getFileSystem().getSeparator(), "/");
  }

  private static Document parsed(Path file) {
    try (InputStream content = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
      if (Files.size(file) > LARGEST) {
        throw new UserException(file + ": larger than " + (LARGEST >> 20) + " MiB");
      }
      // the byte order mark or the page's own declaration determines the character set
      return Jsoup.parse(content, null, "");
    } catch (IOException e) {
      throw new UserException(file + ": cannot be read", e);
    }
  }
}
