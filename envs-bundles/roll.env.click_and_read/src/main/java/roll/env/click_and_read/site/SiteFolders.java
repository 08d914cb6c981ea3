package roll.env.click_and_read.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reads the web sites that an environment serves from folders. Each is parsed once, parsed again
 * when a file changes, and shared by all sessions.
 */
public final class SiteFolders {
  private final Map<Source, Parsed> sites = new ConcurrentHashMap<>();

  /**
   * Returns the web site in {@code folder}.
   *
   * @param where the option that names it, for messages
   * @param most maximum characters shown of a page
   * @throws roll.api.option.UserException if it cannot be read
   */
  public Site get(String where, Path folder, int most) {
    Map<String, FileTime> times = times(where, folder);
    return sites
        .compute(
            new Source(folder, most),
            (_, known) ->
                known != null && known.times().equals(times)
                    ? known
                    : new Parsed(
                        times,
                        new Site(SiteFolder.read(where, folder), SiteContent.of(folder), most)))
        .site();
  }

  private static Map<String, FileTime> times(String where, Path folder) {
    Map<String, FileTime> times = new TreeMap<>();
    SiteFolder.files(where, folder)
        .forEach(
            (path, file) -> {
              try {
                times.put(path, Files.getLastModifiedTime(file));
              } catch (IOException e) {
                // reading the file reports the error
                times.put(path, FileTime.fromMillis(0));
              }
            });
    return times;
  }

  private record Source(Path folder, int most) {}

  private record Parsed(Map<String, FileTime> times, Site site) {}
}
