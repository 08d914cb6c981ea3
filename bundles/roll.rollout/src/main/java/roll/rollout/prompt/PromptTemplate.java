package roll.rollout.prompt;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import roll.api.data.Message;
import roll.api.data.Message.InlinePicture;
import roll.api.env.Observation;
import roll.api.option.UserException;
import roll.text.Suggestion;

/**
 * A text with placeholders, parsed like Python's {@code str.format}: {@code {name}} is replaced, a
 * doubled brace is a literal brace.
 */
public final class PromptTemplate {
  private final List<Part> parts;

  private PromptTemplate(List<Part> parts) {
    this.parts = parts;
  }

  /** A part of the text: the name of a placeholder, or literal text. */
  private record Part(boolean placeholder, String text) {}

  /**
   * Parses the prompt template {@code text}.
   *
   * @param where configuration key, for messages
   * @param allowed names of the placeholders that may be used
   * @throws UserException naming unknown placeholders or an unmatched brace
   */
  public static PromptTemplate parse(String where, String text, List<String> allowed) {
    List<Part> parts = new ArrayList<>();
    StringBuilder plain = new StringBuilder();
    int at = 0;
    while (at < text.length()) {
      char c = text.charAt(at);
      if ((c == '{' || c == '}') && text.startsWith(String.valueOf(c), at + 1)) {
        plain.append(c);
        at += 2;
      } else if (c == '{' || c == '}') {
        int end = text.indexOf('}', at);
        if (c == '}' || end < 0) {
          throw new UserException(
              where
                  + ": '"
                  + c
                  + "' at character "
                  + at
                  + " is unmatched; write it twice for a literal brace");
        }
        parts.add(new Part(false, plain.toString()));
        parts.add(new Part(true, text.substring(at + 1, end)));
        plain.setLength(0);
        at = end + 1;
      } else {
        plain.append(c);
        at++;
      }
    }
    parts.add(new Part(false, plain.toString()));
    PromptTemplate template = new PromptTemplate(parts);
    template.check(where, allowed);
    return template;
  }

  private void check(String where, List<String> allowed) {
    List<String> unknown = placeholders().stream().filter(n -> !allowed.contains(n)).toList();
    if (!unknown.isEmpty()) {
      throw new UserException(
          where
              + ": unknown placeholder {"
              + String.join("}, {", unknown)
              + "} (allowed: {"
              + String.join("}, {", allowed)
              + "})"
              + Suggestion.near(unknown.getFirst(), allowed));
    }
  }

  /** Returns the distinct placeholders, in order. */
  Set<String> placeholders() {
    Set<String> names = new LinkedHashSet<>();
    parts.stream().filter(Part::placeholder).forEach(part -> names.add(part.text()));
    return names;
  }

  /**
   * Returns a user message with {@code values} in place of the placeholders.
   *
   * @param name name of the placeholder of the observation
   * @param seen the observation; its pictures are placed at the first occurrence
   */
  public Message fill(Map<String, String> values, String name, Observation seen) {
    StringBuilder before = new StringBuilder();
    for (Part part : parts) {
      if (part.placeholder() && part.text().equals(name)) {
        break;
      }
      before.append(part.placeholder() ? values.get(part.text()) : part.text());
    }
    String text = fill(values);
    int at = before.length();
    return new Message(
        "user",
        text,
        null,
        seen.pictures().stream()
            .map(placed -> new InlinePicture(at + placed.at(), placed.picture()))
            .toList());
  }

  /** Returns the text with {@code values}, one for each placeholder. */
  public String fill(Map<String, String> values) {
    StringBuilder text = new StringBuilder();
    for (Part part : parts) {
      text.append(
          part.placeholder()
              ? Objects.requireNonNull(values.get(part.text()), part.text())
              : part.text());
    }
    return text.toString();
  }
}
