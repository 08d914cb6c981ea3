package roll.assemble;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import roll.assemble.BundleResolver.Part;

/** The pages README.txt and CONTENTS.md of a distribution. */
final class DistributionPages {
  private DistributionPages() {}

  /** Returns the README; {@code command} trains with {@code config}. */
  static String readme(String command, String config) {
    return """
    roll, assembled for %1$s

    It needs only a JDK 25 or newer:

        ./roll %2$s %1$s      trains; Ctrl-C saves, resume_from_checkpoint=true continues
        ./roll check %1$s      validates the configuration and prints derived values
        ./roll                 opens the shell; help lists the commands

    Commands whose bundles are missing say so. CONTENTS.md lists the contents and the reasons.
    Bundles in deploy/ are installed at start, and while the shell is open.
    """
        .formatted(config, command);
  }

  /** Returns a table of the bundles by name, and of the other files of {@code folder}. */
  static String page(
      List<Part> parts,
      LicenseNotices notices,
      Map<Path, String> places,
      Path folder,
      String source)
      throws IOException {
    StringBuilder page = new StringBuilder("# Contents\n");
    page.append("Assembled from ").append(source).append(".\n\n");
    page.append("| bundle | version | KB | licenses | because |\n|---|---|---|---|---|\n");
    for (Part part :
        parts.stream().sorted(Comparator.comparing((Part p) -> p.item().name())).toList()) {
      page.append("| ").append(part.item().name());
      page.append(" | ").append(part.item().version());
      page.append(" | ").append(kilobytes(part.item().bytes()));
      page.append(" | ").append(licenses(part.item(), notices));
      page.append(" | ").append(String.join("; ", part.reasons()).replace("|", "\\|"));
      page.append(" |\n");
    }
    page.append("\n| file | KB | because |\n|---|---|---|\n");
    for (Path file : FileTrees.files(folder)) {
      String name = folder.relativize(file).toString();
      page.append("| ").append(name);
      page.append(" | ").append(kilobytes(Files.size(file)));
      page.append(" | ").append(why(name, places)).append(" |\n");
    }
    return page.toString();
  }

  /** Returns the licenses of a bundle; of a deployed one those in its manifest. */
  private static String licenses(AvailableBundles.Item item, LicenseNotices notices) {
    String known = item.deployed() == null ? notices.licenses(item.name()) : "";
    return known.isEmpty() ? String.join(", ", item.licenses()) : known;
  }

  private static String why(String file, Map<Path, String> places) {
    for (var place : places.entrySet()) {
      if (file.startsWith(place.getValue())) {
        return "the configuration names " + place.getKey().getFileName();
      }
    }
    return switch (file.replaceAll("/.*", "/")) {
      case "roll" -> "starts it";
      case "take-cuda" -> "copies libtorch for CUDA";
      case "build-jni" -> "adapts to another version of PyTorch";
      case "roll.jar" -> "bnd's launcher, the framework and the bundles above";
      case "native/" -> "libtorch, which roll.djl loads";
      case "etc/" -> "the shell's prompt and completion";
      case "deploy/" -> "bundles that were deployed";
      case "NOTICE", "LICENSE", "licenses/" -> "third-party notices and licenses";
      case "README.txt" -> "usage";
      default -> "the configuration";
    };
  }

  private static String kilobytes(long bytes) {
    return String.format(Locale.ROOT, "%,d", Math.ceilDiv(bytes, 1000));
  }
}
