package roll.env.click_and_read.site;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The files of a site for a browser: pages, pictures, style sheets. */
public interface SiteContent {
  /** Maximum bytes of a file of a site. */
  long LARGEST = 16L << 20;

  /** Returns the file at {@code path}, which is untrusted. */
  Optional<byte[]> at(String path);

  /** Returns the files below {@code folder}; paths and symbolic links that leave it are refused. */
  static SiteContent of(Path folder) {
    return path -> {
      try {
        Path file = folder.resolve(path).toRealPath();
        return file.startsWith(folder.toRealPath())
                && Files.isRegularFile(file)
                && Files.size(file) <= LARGEST
            ? Optional.of(Files.readAllBytes(file))
            : Optional.empty();
      } catch (IOException | InvalidPathException e) {
        return Optional.empty();
      }
    };
  }

  /** Returns the content of {@code pages}, by path. */
  static SiteContent of(Map<String, String> pages) {
    return path ->
        Optional.ofNullable(pages.get(path)).map(html -> html.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the media type of {@code path}, by its extension. */
  static String type(String path) {
    String ending = path.substring(path.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    return Types.BY_ENDING.getOrDefault(ending, "application/octet-stream");
  }

  /** Media types by extension. */
  final class Types {
    private static final Map<String, String> BY_ENDING =
        Map.ofEntries(
            Map.entry("html", "text/html"),
            Map.entry("htm", "text/html"),
            Map.entry("css", "text/css"),
            Map.entry("png", "image/png"),
            Map.entry("jpg", "image/jpeg"),
            Map.entry("jpeg", "image/jpeg"),
            Map.entry("gif", "image/gif"),
            Map.entry("webp", "image/webp"),
            Map.entry("svg", "image/svg+xml"),
            Map.entry("ico", "image/x-icon"),
            Map.entry("woff", "font/woff"),
            Map.entry("woff2", "font/woff2"),
            Map.entry("ttf", "font/ttf"));

    private Types() {}
  }
}
