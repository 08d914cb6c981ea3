package roll.djl;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The jars of libtorch and its JNI library, in a folder outside the bundles or in the jar that
 * started the JVM.
 *
 * @param jars all jars of the folder, or their names in the packed jar
 * @param packed the jar that contains them, or null for files
 */
record NativeJars(List<Path> jars, @Nullable Path packed) {
  /** System property with the folder of the native jars. */
  static final String FOLDER = "roll.djl.native.dir";

  private static final Pattern LIBTORCH = Pattern.compile("pytorch-native-.+?-([a-z]+-[a-z0-9_]+)");

  /**
   * Returns the jars of {@code folder}, or those in the jar {@code started} if it is not a folder.
   */
  static NativeJars in(Path folder, Path started) {
    if (!Files.isDirectory(folder)) {
      return new NativeJars(PackedJars.names(started).stream().map(Path::of).toList(), started);
    }
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> jars = files.filter(f -> f.toString().endsWith(".jar")).sorted().toList();
      return new NativeJars(jars, null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the jars of this process. */
  static NativeJars ofThisProcess() {
    return in(
        Path.of(System.getProperty(FOLDER, "native")),
        Path.of(System.getProperty("java.class.path", "")));
  }

  /** Returns only the jar with DJL's JNI library, for another libtorch. */
  NativeJars withoutLibtorch() {
    return new NativeJars(
        jars.stream().filter(jar -> String.valueOf(jar.getFileName()).contains("-jni-")).toList(),
        packed);
  }

  /** Returns DJL's name of this platform. */
  static String platform() {
    return platform(System.getProperty("os.name"), System.getProperty("os.arch"));
  }

  /** Returns DJL's name of a platform, for example {@code linux-x86_64}. */
  static String platform(String osName, String osArch) {
    String os = osName.toLowerCase(Locale.ROOT);
    String prefix = os.startsWith("win") ? "win" : os.startsWith("mac") ? "osx" : "linux";
    return prefix + "-" + (osArch.equals("amd64") ? "x86_64" : osArch);
  }

  /** Returns one line with the reason why {@code platform} is not supported, or empty. */
  Optional<String> problem(String platform) {
    List<String> platforms =
        jars.stream()
            .map(jar -> LIBTORCH.matcher(jar.getFileName().toString().replace(".jar", "")))
            .filter(Matcher::matches)
            .map(matcher -> matcher.group(1))
            .toList();
    if (platforms.contains(platform)) {
      return Optional.empty();
    }
    String found = platforms.isEmpty() ? "none" : String.join(", ", platforms);
    return Optional.of(
        "no native PyTorch library for "
            + platform
            + " (found: "
            + found
            + "); supported are linux-x86_64, linux-aarch64, osx-aarch64 and win-x86_64, or name a"
            + " PyTorch that is installed with ROLL_PYTHON or PYTORCH_LIBRARY_PATH");
  }

  /** Returns a class loader over the jars, so that DJL finds the libraries as resources. */
  URLClassLoader loader(ClassLoader parent) {
    return new URLClassLoader("djl-natives", urls(), parent);
  }

  private URL[] urls() {
    return jars.stream().map(this::file).map(NativeJars::url).toArray(URL[]::new);
  }

  private Path file(Path jar) {
    return packed == null ? jar : PackedJars.unpack(packed, jar.toString(), PackedJars.cache());
  }

  private static URL url(Path jar) {
    try {
      return jar.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new UncheckedIOException(e);
    }
  }
}
