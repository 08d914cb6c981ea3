package roll.cnf;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A piece of text that people read: a comment or a string literal of a Java source, or a line of
 * another file.
 *
 * @param at file and line
 * @param text without line breaks
 */
record Passage(String at, Kind kind, String text) {
  /** The origin of a passage. */
  enum Kind {
    JAVADOC,
    COMMENT,
    STRING,
    MARKDOWN,
    LINE
  }

  private static final Pattern JAVA =
      Pattern.compile(
          "/\\*(?<block>.*?)\\*/|//(?<line>[^\\n]*)|\"\"\"(?<text>.*?)\"\"\""
              + "|\"(?<string>(?:[^\"\\\\\\n]|\\\\.)*+)\"|'(?:[^'\\\\\\n]|\\\\.)'",
          Pattern.DOTALL);
  private static final Pattern OTHER = Pattern.compile(".*\\.(keys|js|py|html|yaml)");

  /** All passages of the sources and documents below {@code root}. */
  static List<Passage> all(Path root) throws IOException {
    List<Passage> passages = new ArrayList<>();
    for (Path file : files(root)) {
      String name = root.relativize(file).toString();
      if (name.endsWith(".java")) {
        java(name, Files.readString(file), passages);
      } else if (name.endsWith(".md")) {
        markdown(name, Files.readAllLines(file), passages);
      } else if (OTHER.matcher(name).matches()) {
        lines(name, Files.readAllLines(file), passages);
      }
    }
    return passages;
  }

  /** The files of the tree {@code root}, without build outputs and hidden folders. */
  private static List<Path> files(Path root) throws IOException {
    List<Path> files = new ArrayList<>();
    try (Stream<Path> children = Files.list(root)) {
      for (Path child : children.sorted().toList()) {
        String name = child.getFileName().toString();
        if (Files.isRegularFile(child)) {
          files.add(child);
        } else if (!name.startsWith(".") && !name.equals("target") && !name.equals("output")) {
          files.addAll(files(child));
        }
      }
    }
    return files;
  }

  /** Appends the comments and string literals of a Java source. */
  static void java(String name, String source, List<Passage> passages) {
    Matcher matcher = JAVA.matcher(source);
    int line = 1;
    int counted = 0;
    while (matcher.find()) {
      for (; counted < matcher.start(); counted++) {
        line += source.charAt(counted) == '\n' ? 1 : 0;
      }
      for (String group : List.of("block", "line", "text", "string")) {
        if (matcher.group(group) != null) {
          Kind kind = group.equals("block") || group.equals("line") ? Kind.COMMENT : Kind.STRING;
          boolean javadoc = matcher.group().startsWith("/**");
          String text = matcher.group(group).replaceAll("\\s*\\n\\s*\\*?\\s*", " ").strip();
          passages.add(
              new Passage(
                  name + ":" + line,
                  javadoc ? Kind.JAVADOC : kind,
                  javadoc ? text.substring(1).strip() : text));
        }
      }
    }
  }

  private static void markdown(String name, List<String> lines, List<Passage> passages) {
    boolean code = false;
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      code ^= line.startsWith("```");
      if (!code && !line.startsWith("    ")) {
        passages.add(new Passage(name + ":" + (i + 1), Kind.MARKDOWN, line));
      }
    }
  }

  private static void lines(String name, List<String> lines, List<Passage> passages) {
    for (int i = 0; i < lines.size(); i++) {
      passages.add(new Passage(name + ":" + (i + 1), Kind.LINE, lines.get(i)));
    }
  }
}
