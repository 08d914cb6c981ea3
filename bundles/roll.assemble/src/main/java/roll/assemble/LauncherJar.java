package roll.assemble;

import aQute.bnd.header.Attrs;
import aQute.bnd.header.Parameters;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Writes an executable jar with some of the bundles of another one; launcher, framework, order and
 * start levels are kept.
 */
final class LauncherJar {
  private static final String BUNDLES = "launch.bundles";
  private static final String ATTRIBUTES = "launch.runbundles.attrs";

  private LauncherJar() {}

  /**
   * Writes the executable jar {@code target}.
   *
   * @param source the jar to copy from
   * @param chosen bundles to include
   * @param further files to add by entry name
   */
  static void write(
      Path source, List<AvailableBundles.Item> chosen, Map<String, Path> further, Path target)
      throws IOException {
    Set<String> files =
        chosen.stream().map(AvailableBundles.Item::file).collect(Collectors.toSet());
    try (ZipFile in = new ZipFile(source.toFile());
        OutputStream file = Files.newOutputStream(target);
        ZipOutputStream out = new ZipOutputStream(file)) {
      Properties launcher = launcher(in, chosen, files);
      LicenseNotices notices = notices(in, chosen);
      for (ZipEntry entry : Collections.list(in.entries())) {
        String name = entry.getName();
        if (name.equals(RunningDistribution.LAUNCHER)) {
          out.putNextEntry(new ZipEntry(name));
          launcher.store(out, null);
        } else if (name.equals(LicenseNotices.PAGE)) {
          out.putNextEntry(new ZipEntry(name));
          out.write(notices.page().getBytes(StandardCharsets.UTF_8));
        } else if (keeps(name, in, files) && notices.keeps(name)) {
          // jars do not shrink, and load faster uncompressed
          out.setLevel(
              name.endsWith(".jar") ? Deflater.NO_COMPRESSION : Deflater.DEFAULT_COMPRESSION);
          out.putNextEntry(new ZipEntry(name));
          try (InputStream content = in.getInputStream(entry)) {
            content.transferTo(out);
          }
        }
      }
      out.setLevel(Deflater.NO_COMPRESSION);
      for (var entry : further.entrySet()) {
        out.putNextEntry(new ZipEntry(entry.getKey()));
        Files.copy(entry.getValue(), out);
      }
    }
  }

  /** Returns whether to copy an entry: chosen bundles, and everything that is no bundle. */
  private static boolean keeps(String name, ZipFile source, Set<String> chosen) throws IOException {
    return !name.startsWith(AvailableBundles.FOLDER)
        || name.endsWith("/")
        || chosen.contains(name)
        || !launched(properties(source)).contains(name);
  }

  /** Returns the notices of the chosen bundles and of the launcher. */
  private static LicenseNotices notices(ZipFile source, List<AvailableBundles.Item> chosen)
      throws IOException {
    Set<String> names =
        chosen.stream().map(AvailableBundles.Item::name).collect(Collectors.toSet());
    List<String> all = names(properties(source));
    boolean torch = names.contains("roll.djl");
    return LicenseNotices.of(source)
        .only(name -> name.equals("native") ? torch : names.contains(name) || !all.contains(name));
  }

  /** Returns the symbolic names of the launched bundles. */
  private static List<String> names(Properties launcher) {
    return List.copyOf(new Parameters(launcher.getProperty(ATTRIBUTES, "")).keySet());
  }

  private static Properties launcher(
      ZipFile source, List<AvailableBundles.Item> chosen, Set<String> files) throws IOException {
    Properties launcher = properties(source);
    launcher.setProperty(
        BUNDLES,
        launched(launcher).stream().filter(files::contains).collect(Collectors.joining(",")));
    Set<String> names =
        chosen.stream().map(AvailableBundles.Item::name).collect(Collectors.toSet());
    Parameters attributes = new Parameters();
    for (Map.Entry<String, Attrs> bundle :
        new Parameters(launcher.getProperty(ATTRIBUTES, "")).entrySet()) {
      if (names.contains(bundle.getKey())) {
        attributes.put(bundle.getKey(), bundle.getValue());
      }
    }
    launcher.setProperty(ATTRIBUTES, attributes.toString());
    return launcher;
  }

  private static Properties properties(ZipFile source) throws IOException {
    Properties launcher = new Properties();
    try (InputStream in = source.getInputStream(source.getEntry(RunningDistribution.LAUNCHER))) {
      launcher.load(in);
    }
    return launcher;
  }

  private static List<String> launched(Properties launcher) {
    return Arrays.asList(launcher.getProperty(BUNDLES, "").split(","));
  }
}
