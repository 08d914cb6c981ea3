package roll.shell.tour;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The text of the tour, in Markdown: commands are indented lines that begin with a prompt; other
 * indented lines are recorded output.
 *
 * @param steps in order
 * @param end text after the last command
 */
record TourText(List<Step> steps, String end) {
  /** Name of the resource. */
  static final String RESOURCE = "tour.txt";

  private static final String CODE = "    ";

  /**
   * A command, and the text above it.
   *
   * @param prompt of the shell that it is for
   */
  record Step(String text, Prompt prompt, List<String> words) {}

  /** The shells of commands. */
  enum Prompt {
    /** This shell. */
    ROLL("roll> "),
    /** The shell of the system: a program with arguments. */
    SYSTEM("$ ");

    private final String text;

    Prompt(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  /** Reads the resource. */
  static TourText read() throws IOException {
    try (InputStream in = TourText.class.getResourceAsStream(RESOURCE)) {
      return of(new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  /** Parses a tour. */
  static TourText of(String markdown) {
    List<Step> steps = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    for (String line : markdown.lines().toList()) {
      if (!line.startsWith(CODE)) {
        text.append(plain(line)).append('\n');
        continue;
      }
      for (Prompt prompt : Prompt.values()) {
        String start = CODE + prompt;
        if (line.startsWith(start)) {
          List<String> words = List.of(line.substring(start.length()).split(" +"));
          steps.add(new Step(text.toString().strip(), prompt, words));
          text.setLength(0);
        }
      }
    }
    return new TourText(List.copyOf(steps), text.toString().strip());
  }

  /** Returns a line without the marks of headings, pictures and links. */
  private static String plain(String line) {
    return line.startsWith("![")
        ? ""
        : line.replaceFirst("^#+ ", "").replaceAll("\\[([^]]+)]\\(([^)]+)\\)", "$1 (docs/$2)");
  }
}
