package roll.assemble;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The third-party notices of a jar, which can be reduced to some bundles: the file {@code NOTICE}
 * with a section per bundle, and license texts in {@code licenses/}.
 *
 * @param head introduction
 * @param sections by bundle name, or {@code native}
 */
record LicenseNotices(String head, Map<String, String> sections) {
  /** Name of the notice file in a jar. */
  static final String PAGE = "NOTICE";

  /** Folder of the license texts in a jar. */
  static final String TEXTS = "licenses/";

  private static final String SECTION = "\n== ";
  private static final Pattern LIBRARY = Pattern.compile("(?m)^- (\\S+) (\\S+): ([^,(]+)");

  LicenseNotices {
    sections = Map.copyOf(sections);
  }

  /** Reads the notices of {@code jar}; empty if it has none, as when exported by bnd alone. */
  static LicenseNotices of(ZipFile jar) throws IOException {
    ZipEntry page = jar.getEntry(PAGE);
    if (page == null) {
      return new LicenseNotices("", Map.of());
    }
    try (InputStream in = jar.getInputStream(page)) {
      String[] parts = new String(in.readAllBytes(), StandardCharsets.UTF_8).split(SECTION, -1);
      Map<String, String> sections = new LinkedHashMap<>();
      for (int i = 1; i < parts.length; i++) {
        sections.put(parts[i].split("\\s", 2)[0], parts[i]);
      }
      return new LicenseNotices(parts[0], sections);
    }
  }

  /** Returns the notices with only the sections that are {@code kept}. */
  LicenseNotices only(Predicate<String> kept) {
    return new LicenseNotices(
        head,
        sections.entrySet().stream()
            .filter(section -> kept.test(section.getKey()))
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
  }

  /** Returns the text of the notice file. */
  String page() {
    return head
        + sections.keySet().stream()
            .sorted()
            .map(name -> SECTION + sections.get(name))
            .collect(Collectors.joining());
  }

  /**
   * Returns whether to keep an entry of the jar: license texts only of libraries in these sections,
   * and shared texts.
   */
  boolean keeps(String entry) {
    String text = entry.startsWith(TEXTS) ? entry.substring(TEXTS.length()) : "";
    int folder = text.indexOf('/');
    return folder < 0 || folders().contains(text.substring(0, folder));
  }

  private Set<String> folders() {
    return sections.values().stream()
        .flatMap(section -> LIBRARY.matcher(section).results())
        .map(library -> library.group(1) + "-" + library.group(2))
        .collect(Collectors.toSet());
  }

  /** Returns the licenses in {@code bundle}, its own first; empty if unknown. */
  String licenses(String bundle) {
    Set<String> licenses = new TreeSet<>();
    LIBRARY
        .matcher(sections.getOrDefault(bundle, ""))
        .results()
        .forEach(library -> licenses.addAll(Set.of(library.group(3).strip().split(" AND ", -1))));
    if (bundle.startsWith("roll.")) {
      licenses.remove("Apache-2.0");
      return String.join(", ", licenses).isEmpty()
          ? "Apache-2.0"
          : "Apache-2.0, " + String.join(", ", licenses);
    }
    return String.join(", ", licenses);
  }
}
