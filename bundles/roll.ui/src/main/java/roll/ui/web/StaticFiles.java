package roll.ui.web;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import roll.http.HttpRefusal;

/** The page's own files, which lie in this bundle. */
final class StaticFiles {
  private static final String FOLDER = "/roll/ui/page/";
  private static final Pattern PATH =
      Pattern.compile("(/[A-Za-z0-9_-]+){0,4}/[A-Za-z0-9_.-]+\\.[a-z]+");
  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "svg", "image/svg+xml",
          "png", "image/png");

  private StaticFiles() {}

  /**
   * The file at {@code path}.
   *
   * @throws HttpRefusal 404 if there is none
   */
  static Answer.Bytes of(String path) throws IOException {
    String type = PATH.matcher(path).matches() ? type(path) : null;
    try (InputStream in =
        type == null ? null : StaticFiles.class.getResourceAsStream(FOLDER + path.substring(1))) {
      if (in == null || type == null) {
        throw new HttpRefusal(404, "nothing is at " + path);
      }
      return new Answer.Bytes(type, in.readAllBytes());
    }
  }

  private static @Nullable String type(String path) {
    return TYPES.get(path.substring(path.lastIndexOf('.') + 1));
  }
}
