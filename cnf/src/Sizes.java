import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipFile;

/**
 * Compares the sizes in a README's tables with those of distributions and bundles, in MB.
 * Arguments: the README, the folder with the jars. Rows are checked that name a file.bndrun and end
 * in a size, or begin with a size and a bundle; every bundle of at least 1 MB in roll.jar must have
 * a row.
 */
public final class Sizes {
  private static final Pattern JAR =
      Pattern.compile("(?m)^\\| `([a-z-]+)\\.bndrun` .*\\| (\\d+) MB \\|$");
  private static final Pattern BUNDLE = Pattern.compile("(?m)^\\| (\\d+) \\| `([\\w.-]+)` \\|");
  private static final double MEGABYTE = 1e6;

  private Sizes() {}

  public static void main(String[] args) throws IOException {
    String readme = Files.readString(Path.of(args[0]));
    Path folder = Path.of(args[1]);
    int wrong = 0;
    for (var row : JAR.matcher(readme).results().toList()) {
      double size = Files.size(folder.resolve(row.group(1) + ".jar"));
      wrong += check(args[0], row.group(1) + ".jar", row.group(2), size);
    }
    Map<String, Long> bundles = bundles(folder.resolve("roll.jar"));
    for (var row : BUNDLE.matcher(readme).results().toList()) {
      Long size = bundles.remove(row.group(2));
      wrong += check(args[0], row.group(2), row.group(1), size == null ? 0 : size);
    }
    for (var left : bundles.entrySet()) {
      if (left.getValue() >= MEGABYTE) {
        System.err.printf(
            "%s: says nothing of %s, %.1f MB%n",
            args[0], left.getKey(), left.getValue() / MEGABYTE);
        wrong++;
      }
    }
    System.exit(wrong == 0 ? 0 : 1);
  }

  /** Returns 1 if the size differs by more than a megabyte, otherwise 0. */
  private static int check(String readme, String what, String said, double bytes) {
    double size = bytes / MEGABYTE;
    if (Math.abs(size - Integer.parseInt(said)) <= 1) {
      return 0;
    }
    System.err.printf("%s: %s has %.0f MB, not %s%n", readme, what, size, said);
    return 1;
  }

  private static Map<String, Long> bundles(Path jar) throws IOException {
    Map<String, Long> sizes = new TreeMap<>();
    Pattern name = Pattern.compile("jar/(.*?)-\\d.*\\.jar");
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      for (var entry : zip.stream().toList()) {
        Matcher bundle = name.matcher(entry.getName());
        if (bundle.matches()) {
          sizes.put(bundle.group(1), entry.getSize());
        }
      }
    }
    return sizes;
  }
}
