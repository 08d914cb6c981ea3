package roll.cnf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Documents name existing files and show the current layers. */
class DocsTest {
  private static final Path ROOT = Path.of(System.getProperty("roll.root"));
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)(#[^)]*)?\\)");
  private static final Pattern CLASS = Pattern.compile("^\\| \\[[^]]+]\\(\\.\\./([^)]+\\.java)\\)");
  private static final Pattern OUTSIDE = Pattern.compile("\\breference/[a-z_-]+\\.md");

  @Test
  void linksLeadToFiles() throws IOException {
    List<String> broken = new ArrayList<>();
    int links = 0;
    for (Path document : documents()) {
      Matcher link = LINK.matcher(Files.readString(document));
      while (link.find()) {
        String target = link.group(1);
        if (!target.contains(":") && !target.contains("{")) {
          links++;
          if (!Files.exists(document.resolveSibling(target))) {
            broken.add(ROOT.relativize(document) + " -> " + target);
          }
        }
      }
    }
    int found = links;
    assertTrue(found > 100, () -> "found only " + found + " links");
    assertEquals(List.of(), broken);
  }

  /** Every term of the glossary links to an existing class. */
  @Test
  void everyTermOfTheGlossaryLeadsToItsClass() throws IOException {
    List<String> without = new ArrayList<>();
    int terms = 0;
    for (String line : Files.readAllLines(ROOT.resolve("docs/glossary.md"))) {
      if (line.startsWith("| ") && !line.startsWith("| term ")) {
        terms++;
        Matcher link = CLASS.matcher(line);
        if (!link.find() || !Files.exists(ROOT.resolve(link.group(1)))) {
          without.add(line);
        }
      }
    }
    int found = terms;
    assertTrue(found > 40, () -> "found only " + found + " terms");
    assertEquals(List.of(), without);
  }

  @Test
  void theArchitecturePageDrawsTheLayersOfTheManifests() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/architecture.md"));
    String picture = Layers.of(HouseTest.bundles()).picture();
    assertTrue(page.contains(picture), () -> "docs/architecture.md should have\n" + picture);
  }

  /** Golden numbers cite a commit, file and line of a public repository, or a paper. */
  @Test
  void nothingCitesAFileThatOnlyItsAuthorHas() throws IOException {
    List<String> found = new ArrayList<>();
    int read = 0;
    for (Path file : texts()) {
      read++;
      Matcher citation = OUTSIDE.matcher(Files.readString(file));
      while (citation.find()) {
        found.add(ROOT.relativize(file) + ": " + citation.group());
      }
    }
    int files = read;
    assertTrue(files > 1000, () -> "read only " + files + " files");
    assertEquals(List.of(), found);
  }

  /** Returns the sources and documents of all folders except build output. */
  private static List<Path> texts() throws IOException {
    List<Path> texts = new ArrayList<>(documents());
    List<Path> folders = new ArrayList<>(HouseTest.bundles());
    folders.add(ROOT.resolve("cnf"));
    for (Path folder : folders) {
      Path sources = folder.resolve("src");
      if (!Files.isDirectory(sources)) {
        continue; // only repackages a library
      }
      try (Stream<Path> files = Files.walk(sources)) {
        files.filter(file -> file.toString().endsWith(".java")).forEach(texts::add);
      }
    }
    return texts;
  }

  private static List<Path> documents() throws IOException {
    List<Path> documents = new ArrayList<>();
    for (String top : List.of("README.md", "CONTRIBUTING.md")) {
      documents.add(ROOT.resolve(top));
    }
    List<Path> folders = new ArrayList<>(HouseTest.bundles());
    for (String folder : List.of("docs", "configs", "launch", "licenses", "cnf", "bundles")) {
      folders.add(ROOT.resolve(folder));
    }
    for (Path folder : folders) {
      try (Stream<Path> files = Files.list(folder)) {
        files.filter(file -> file.toString().endsWith(".md")).forEach(documents::add);
      }
    }
    return documents;
  }
}
