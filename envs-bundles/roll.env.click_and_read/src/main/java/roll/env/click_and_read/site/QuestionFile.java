package roll.env.click_and_read.site;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import roll.api.option.UserException;

/**
 * Questions about a site, a JSON object per line: {@code question}, {@code answer} (a text, or a
 * list of correct ones), and optionally {@code start} (the first page, by default {@code
 * index.html}) and {@code page} (the page with the answer).
 */
final class QuestionFile {
  private static final Set<String> KEYS = Set.of("question", "answer", "start", "page");

  private final Site site;
  private final int maxSteps;
  private String where = "";

  private QuestionFile(Site site, int maxSteps) {
    this.site = site;
    this.maxSteps = maxSteps;
  }

  /**
   * Returns the questions in {@code file}.
   *
   * @param maxSteps actions within which every question must be answerable
   * @throws UserException with file and line, if a question is malformed, names a page the site
   *     does not have or cannot be answered
   */
  static List<SiteQuestion> read(Path file, Site site, int maxSteps) {
    QuestionFile reader = new QuestionFile(site, maxSteps);
    List<SiteQuestion> tasks = new ArrayList<>();
    int number = 0;
    for (String line : lines(file)) {
      reader.where = file + ":" + ++number;
      if (!line.isBlank()) {
        tasks.add(reader.task(reader.object(line)));
      }
    }
    if (tasks.isEmpty()) {
      throw new UserException(file + ": no question in it");
    }
    return List.copyOf(tasks);
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (CharacterCodingException e) {
      throw new UserException(file + ": not UTF-8 text", e);
    } catch (IOException e) {
      throw new UserException(file + ": cannot be read", e);
    }
  }

  private JsonObject object(String line) {
    try {
      JsonReader reader = new JsonReader(new StringReader(line));
      reader.setStrictness(Strictness.STRICT);
      JsonElement element = JsonParser.parseReader(reader);
      if (element.isJsonObject() && reader.peek() == JsonToken.END_DOCUMENT) {
        return element.getAsJsonObject();
      }
    } catch (JsonParseException | IOException e) {
      throw new UserException(where + ": not valid JSON", e);
    }
    throw wrong("expected one JSON object");
  }

  private SiteQuestion task(JsonObject json) {
    for (String key : json.keySet()) {
      if (!KEYS.contains(key)) {
        throw wrong("unknown key '" + key + "' (allowed: question, answer, start, page)");
      }
    }
    List<String> answers = answers(json);
    String start = json.has("start") ? page(json, "start") : "index.html";
    if (!site.has(start)) {
      throw wrong("the site has no index.html: name a 'start'");
    }
    Set<String> sources = json.has("page") ? Set.of(page(json, "page")) : site.mentioning(answers);
    Map<String, Integer> clicks = site.clicks(sources);
    // an answer on no page must be inferred; its distance is unknown
    if (!sources.isEmpty()) {
      Integer needed = clicks.get(start);
      if (needed == null || needed >= maxSteps) {
        throw wrong(
            "the answer is "
                + (needed == null ? "not within reach" : needed + " clicks")
                + " from "
                + start
                + ", max_steps allows "
                + (maxSteps - 1));
      }
    }
    String question = text(json, "question");
    return new SiteQuestion(site, question, question, answers, start, clicks);
  }

  private List<String> answers(JsonObject json) {
    JsonElement value = json.get("answer");
    List<String> answers =
        value != null && value.isJsonArray()
            ? value.getAsJsonArray().asList().stream().map(e -> text(e, "answer")).toList()
            : List.of(text(json, "answer"));
    for (String answer : answers) {
      if (AnswerMatch.normalised(answer).isEmpty()) {
        throw wrong("answer '" + answer + "' has no word that counts");
      }
    }
    if (answers.isEmpty()) {
      throw wrong("'answer' has no answer");
    }
    return answers;
  }

  private String page(JsonObject json, String key) {
    String path = text(json, key);
    if (!site.has(path)) {
      throw wrong("'" + key + "': the site has no page '" + path + "'");
    }
    return path;
  }

  private String text(JsonObject json, String key) {
    JsonElement value = json.get(key);
    if (value == null) {
      throw wrong("'" + key + "' is missing");
    }
    return text(value, key);
  }

  private String text(JsonElement value, String key) {
    if (!value.isJsonPrimitive() || value.getAsString().isBlank()) {
      throw wrong("'" + key + "' must be a text, found '" + value + "'");
    }
    return value.getAsString().strip();
  }

  private UserException wrong(String what) {
    return new UserException(where + ": " + what);
  }
}
