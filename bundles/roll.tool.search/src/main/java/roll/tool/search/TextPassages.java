package roll.tool.search;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import roll.api.option.UserException;

/**
 * Reads passages from plain text and Markdown: paragraphs joined to about a thousand characters,
 * never across a heading. The title is the file's name with the heading.
 */
final class TextPassages {
  private static final int LENGTH = 1_000;

  private final Consumer<Passage> reader;
  private final String name;
  private final StringBuilder text = new StringBuilder();
  private String title;

  private TextPassages(String name, Consumer<Passage> reader) {
    this.name = name;
    this.reader = reader;
    title = name;
  }

  /** Passes the passages of {@code file} to {@code reader}, see {@link Corpus#read}. */
  static void read(Path file, Consumer<Passage> reader) {
    String name = String.valueOf(file.getFileName());
    boolean headings = name.toLowerCase(java.util.Locale.ROOT).endsWith(".md");
    TextPassages passages = new TextPassages(name.replaceFirst("\\.[^.]*$", ""), reader);
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        passages.line(line.strip(), headings);
      }
    } catch (CharacterCodingException e) {
      throw new UserException(file + " is not UTF-8", e);
    } catch (IOException e) {
      throw new UserException(file + " cannot be read: " + e.getMessage(), e);
    }
    passages.flush();
  }

  private void line(String line, boolean headings) {
    if (headings && line.matches("#{1,6} .*")) {
      flush();
      title = name + ": " + line.replaceFirst("#+ +", "");
    } else if (line.isEmpty()) {
      if (text.length() >= LENGTH) {
        flush();
      }
    } else {
      text.append(text.isEmpty() ? "" : "\n").append(line);
      if (text.length() >= 2 * LENGTH) {
        flush(); // an extremely long paragraph
      }
    }
  }

  private void flush() {
    if (!text.isEmpty()) {
      reader.accept(new Passage(title, text.toString()));
      text.setLength(0);
    }
  }
}
