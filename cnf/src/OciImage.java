import com.google.cloud.tools.jib.api.Containerizer;
import com.google.cloud.tools.jib.api.Jib;
import com.google.cloud.tools.jib.api.JibContainerBuilder;
import com.google.cloud.tools.jib.api.TarImage;
import com.google.cloud.tools.jib.api.buildplan.AbsoluteUnixPath;
import com.google.cloud.tools.jib.api.buildplan.FileEntriesLayer;
import com.google.cloud.tools.jib.api.buildplan.FilePermissions;
import com.google.cloud.tools.jib.api.buildplan.ImageFormat;
import com.google.cloud.tools.jib.api.buildplan.Platform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Packs {@code launch/target/dist} and {@code configs} as an OCI image in a tar: {@code OciImage
 * <file>.tar}. The image has no base and is built without a container engine and without a network.
 * Equal files give equal bytes.
 */
final class OciImage {
  private static final Path DIST = Path.of("launch/target/dist");
  private static final Pattern VERSION =
      Pattern.compile("<artifactId>roll-parent</artifactId>\\s*<version>([^<]+)<");

  /** Files that a start leaves in the distribution. */
  private static final Pattern LEFT = Pattern.compile("(cache|log)/.*|deploy/.*\\.jar");

  private static final Instant CHANGED = FileEntriesLayer.DEFAULT_MODIFICATION_TIME;
  private static final String HOME = "/data";
  private static final String USER = "7800:7800";

  private OciImage() {}

  static void main(String[] arguments) throws Exception {
    try {
      if (arguments.length != 1 || !arguments[0].endsWith(".tar")) {
        throw new Mistake(2, "usage: dev image <file>.tar");
      }
      if (!Files.exists(DIST.resolve("roll.jar"))) {
        throw new Mistake(2, DIST + " has no roll.jar: call ./dev build first");
      }
      Matcher version = VERSION.matcher(Files.readString(Path.of("pom.xml")));
      if (!version.find()) {
        throw new Mistake(1, "pom.xml has no version");
      }
      String name = "roll:" + version.group(1);
      write(name, Path.of(arguments[0]));
      System.out.println(name + " is in " + arguments[0]);
    } catch (Mistake e) {
      System.err.println("dev: " + e.getMessage());
      System.exit(e.status);
    }
  }

  private static void write(String name, Path tar) throws Exception {
    Path work = Files.createTempDirectory("image");
    try {
      JibContainerBuilder image = Jib.fromScratch().setFormat(ImageFormat.OCI);
      image.setPlatforms(Set.of(new Platform(architecture(), "linux")));
      image.setCreationTime(Instant.EPOCH);
      image.addFileEntriesLayer(layer("system", SystemFiles.ofThisMachine().files()));
      image.addFileEntriesLayer(user(work));
      image.addFileEntriesLayer(
          layer("libtorch", below(DIST.resolve("native"), "/opt/roll/native")));
      Map<String, Path> roll = below(DIST, "/opt/roll");
      roll.keySet().removeIf(file -> file.startsWith("/opt/roll/native/"));
      roll.putAll(below(Path.of("configs"), "/opt/roll/configs"));
      image.addFileEntriesLayer(layer("roll", roll));
      image.setEntrypoint("/opt/roll/roll").setUser(USER);
      image.setWorkingDirectory(AbsoluteUnixPath.get(HOME)).addVolume(AbsoluteUnixPath.get(HOME));
      image.setEnvironment(
          new TreeMap<>(
              Map.of(
                  "HOME",
                  HOME,
                  "JAVA_HOME",
                  SystemFiles.JDK,
                  "LANG",
                  "C.UTF-8",
                  "PATH",
                  "/opt/roll:" + SystemFiles.JDK + "/bin:/bin",
                  "ROLL_STATE",
                  HOME + "/.roll",
                  "XDG_CACHE_HOME",
                  HOME + "/.cache")));
      image.containerize(
          Containerizer.to(TarImage.at(tar).named(name))
              .setOfflineMode(true)
              .setToolName("roll")
              .setBaseImageLayersCache(work.resolve("base"))
              .setApplicationLayersCache(work.resolve("layers")));
    } finally {
      RunFiles.delete(work);
    }
  }

  private static String architecture() {
    return System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";
  }

  /** The user that the image runs as, and the one folder it may write to. */
  private static FileEntriesLayer user(Path work) throws IOException {
    Map<String, String> texts =
        Map.of(
            "/etc/passwd",
            "root:x:0:0::/:/bin/sh\nroll:x:7800:7800::" + HOME + ":/bin/sh\n",
            "/etc/group",
            "root:x:0:\nroll:x:7800:\n",
            "/etc/nsswitch.conf",
            "hosts: files dns\n",
            "/etc/fonts/fonts.conf",
            "<fontconfig><dir>/usr/share/fonts</dir><cachedir"
                + " prefix=\"xdg\">fontconfig</cachedir></fontconfig>\n");
    Map<String, Path> files = new TreeMap<>();
    for (var text : texts.entrySet()) {
      Path file = work.resolve(Path.of(text.getKey()).getFileName().toString());
      files.put(text.getKey(), Files.writeString(file, text.getValue()));
    }
    Path empty = Files.createDirectory(work.resolve("empty"));
    return layer("user", files).toBuilder()
        .addEntry(
            empty, AbsoluteUnixPath.get("/tmp"), FilePermissions.fromOctalString("777"), CHANGED)
        .addEntry(
            empty,
            AbsoluteUnixPath.get(HOME),
            FilePermissions.DEFAULT_FOLDER_PERMISSIONS,
            CHANGED,
            USER)
        .build();
  }

  /** Returns the files of a folder by their path in the image. */
  private static Map<String, Path> below(Path folder, String place) throws IOException {
    Map<String, Path> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        String name = folder.relativize(file).toString();
        if (!LEFT.matcher(name).matches()) {
          files.put(place + "/" + name, file);
        }
      }
    }
    return files;
  }

  private static FileEntriesLayer layer(String name, Map<String, Path> files) {
    FileEntriesLayer.Builder layer = FileEntriesLayer.builder().setName(name);
    files.forEach(
        (place, file) ->
            layer.addEntry(
                file.toAbsolutePath(),
                AbsoluteUnixPath.get(place),
                FilePermissions.fromOctalString(Files.isExecutable(file) ? "755" : "644"),
                CHANGED));
    return layer.build();
  }
}
