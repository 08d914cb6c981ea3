package roll.djl;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * The libtorch builds that can be loaded: the version that DJL's JNI library was built against, for
 * the CPU or for some CUDA versions.
 *
 * @param version such as {@code 2.7.1}
 * @param djl version of DJL, such as {@code 0.35.1}
 * @param flavours DJL's flavors with a JNI library for this platform: {@code cpu}, {@code cu128}
 */
record LibtorchCompatibility(String version, String djl, List<String> flavours) {
  /** The lowest CUDA version, as DJL writes it, to look for. */
  private static final int FIRST = 110;

  private static final int LAST = 149;

  /** Reads the JNI jar of {@code loader} for {@code platform}; no flavors if it is missing. */
  static LibtorchCompatibility of(ClassLoader loader, String platform) {
    String folder = "jnilib/" + platform + "/";
    String file = "/" + System.mapLibraryName("djl_torch");
    List<String> flavours = new ArrayList<>();
    if (loader.getResource(folder + "cpu" + file) != null) {
      flavours.add("cpu");
    }
    for (int cuda = FIRST; cuda <= LAST; cuda++) {
      if (loader.getResource(folder + "cu" + cuda + file) != null) {
        flavours.add("cu" + cuda);
      }
    }
    // such as 2.7.1-0.35.1
    String[] both = version(loader.getResource("jnilib/pytorch.properties")).split("-", 2);
    return new LibtorchCompatibility(both[0], both.length < 2 ? "" : both[1], flavours);
  }

  private static String version(@Nullable URL about) {
    if (about == null) {
      return "";
    }
    try (InputStream in = about.openStream()) {
      Properties properties = new Properties();
      properties.load(in);
      return properties.getProperty("jni_version", "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns the JNI library for a libtorch built for {@code cuda}: that of the same version, or of
   * the nearest with the same major version. It uses a dozen functions of the CUDA runtime that are
   * the same in all of them.
   *
   * @param cuda such as {@code 12.8}, {@code 12} if the minor version is unknown, or empty for the
   *     CPU
   */
  Optional<String> flavour(String cuda) {
    if (cuda.isEmpty()) {
      return flavours.stream().filter("cpu"::equals).findFirst();
    }
    String exact = "cu" + cuda.replace(".", "");
    if (flavours.contains(exact)) {
      return Optional.of(exact);
    }
    String major = "cu" + cuda.replaceAll("\\..*", "");
    return flavours.stream().filter(flavour -> flavour.matches(major + "\\d")).reduce((a, b) -> b);
  }

  /** Returns the installable libtorch builds, preferred first. */
  String advice() {
    String cuda =
        flavours.stream()
            .filter(flavour -> !flavour.equals("cpu"))
            .reduce((a, b) -> b)
            .map(flavour -> " built for CUDA " + dotted(flavour))
            .orElse(" built for the CPU");
    return "torch " + version + cuda;
  }

  /** Returns the CUDA version {@code 12.8} for the flavor {@code cu128}. */
  static String dotted(String flavour) {
    return flavour.replaceFirst("cu(\\d+)(\\d)$", "$1.$2");
  }
}
