package roll.env.click_and_read.site;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The files of a site as a browser asks for them: pages, pictures, style sheets. */
public interface Content {
  /** The largest file that is given. */
  long LARGEST = 16L << 20;

  /** What the site has at {@code path}, which may be anything. */
  Optional<byte[]> at(String path);

  /** The files below {@code folder}, however a path tries to leave it, also by symbolic links. */
  static Content of(Path folder) {
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

  /** Pages by path. */
  static Content of(Map<String, String> pages) {
    return path ->
        Optional.ofNullable(pages.get(path)).map(html -> html.getBytes(StandardCharsets.UTF_8));
  }

  /** What kind of file {@code path} is, by its name. */
  static String type(String path) {
    String ending = path.substring(path.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    return Types.BY_ENDING.getOrDefault(ending, "application/octet-stream");
  }

  /** Media types that pages are made of. */
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
