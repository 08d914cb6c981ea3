package roll.assemble;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import roll.assemble.BundleResolver.Part;

/** The two pages that are in a distribution: how it is used, and what is in it and why. */
final class DistributionPages {
  private DistributionPages() {}

  /** Tells the {@code command} that trains with {@code config}, a file in the distribution. */
  static String readme(String command, String config) {
    return """
    roll, assembled for %1$s

    A JDK 25 or newer is all it needs:

        ./roll %2$s %1$s      trains; Ctrl-C saves, resume_from_checkpoint=true continues
        ./roll check %1$s      checks the configuration and says what follows from it
        ./roll                 opens the shell; help lists the commands

    Commands whose bundles are not in here say so. CONTENTS.md tells what is in here and why.
    A bundle put into deploy/ is installed when roll starts, and while its shell is open.
    """
        .formatted(config, command);
  }

  /** A table of the bundles, the largest first, and of the other files of {@code folder}. */
  static String page(
      List<Part> parts,
      LicenseNotices notices,
      Map<Path, String> places,
      Path folder,
      String source)
      throws IOException {
    StringBuilder page = new StringBuilder("# What is in here, and why\n");
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
    for (Path file : Trees.files(folder)) {
      String name = folder.relativize(file).toString();
      page.append("| ").append(name);
      page.append(" | ").append(kilobytes(Files.size(file)));
      page.append(" | ").append(why(name, places)).append(" |\n");
    }
    return page.toString();
  }

  /** Of a bundle that was deployed, the distribution says nothing: what its own manifest says. */
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
      case "take-cuda" -> "takes libtorch for CUDA along";
      case "build-jni" -> "fits another version of PyTorch in";
      case "roll.jar" -> "bnd's launcher, the framework and the bundles above";
      case "native/" -> "libtorch, which roll.djl loads";
      case "etc/" -> "the shell's prompt and completion";
      case "deploy/" -> "bundles that were deployed";
      case "NOTICE", "LICENSE", "licenses/" -> "what of others is in here, and the licenses of all";
      case "README.txt" -> "how it is used";
      default -> "the configuration";
    };
  }

  private static String kilobytes(long bytes) {
    return String.format(Locale.ROOT, "%,d", Math.ceilDiv(bytes, 1000));
  }
}
