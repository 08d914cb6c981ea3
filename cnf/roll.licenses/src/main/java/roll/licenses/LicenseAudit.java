package roll.licenses;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Checks the license information of a bundle, starting from the packages in the jar, which {@code
 * licenses/libraries.txt} maps to libraries, and so independently of the build.
 */
final class LicenseAudit {
  private static final String TEXTS = "META-INF/licenses/";

  private final Libraries known;

  LicenseAudit(Libraries known) {
    this.known = known;
  }

  /** Returns the problems of a bundle of this project, a line each. */
  List<String> complaints(NestedJar bundle) {
    List<String> complaints = new ArrayList<>();
    String notice = bundle.text("META-INF/NOTICE");
    List<String> named = Notice.named(notice);
    for (String folder : packages(bundle)) {
      if (named.stream().noneMatch(library -> claims(library, folder.replace('/', '.')))) {
        complaints.add("carries " + folder + ", which no library in its META-INF/NOTICE has");
      }
    }
    String licenses = bundle.header("Bundle-License");
    if (!licenses.startsWith("Apache-2.0;")) {
      complaints.add("is not under Apache-2.0 by its Bundle-License");
    }
    if (!bundle.entries().containsKey("META-INF/LICENSE")) {
      complaints.add("has no META-INF/LICENSE");
    }
    List<String> folders = Notice.folders(notice);
    for (String name : Notice.names(notice)) {
      if (!licenses.contains(name)) {
        complaints.add("does not name " + name + " in Bundle-License");
      }
    }
    for (String entry : bundle.entries().keySet()) {
      String text = entry.startsWith(TEXTS) ? entry.substring(TEXTS.length()) : "";
      if (text.contains("/") && !folders.contains(text.substring(0, text.indexOf('/')))) {
        complaints.add("has " + entry + ", of no library in it (mvn clean)");
      }
    }
    if (bundle.header("Bundle-Description").isBlank()) {
      complaints.add("has no Bundle-Description (the description in its pom)");
    }
    return complaints;
  }

  /** Returns the packages of the bundle that come from other projects. */
  private static Set<String> packages(NestedJar bundle) {
    Set<String> folders = new TreeSet<>();
    String own = bundle.name().replace('.', '/') + "/";
    for (String entry : bundle.entries().keySet()) {
      int inner = entry.lastIndexOf("!/");
      String name = inner < 0 ? entry : entry.substring(inner + 2);
      String path = name.replaceFirst("^META-INF/versions/\\d+/", "");
      if (path.endsWith(".class") && path.contains("/") && !path.startsWith(own)) {
        folders.add(path.substring(0, path.lastIndexOf('/')));
      }
    }
    return folders;
  }

  private boolean claims(String library, String name) {
    int colon = library.indexOf(':');
    return known.families().stream()
        .filter(family -> family.has(library.substring(0, colon), library.substring(colon + 1)))
        .flatMap(family -> family.packages().stream())
        .anyMatch(start -> (name + ".").startsWith(start + "."));
  }
}
