package roll.env.click_and_read.site;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import roll.env.click_and_read.site.SiteWords.Fact;

/**
 * The tokenizer of {@code configs/models/click-and-read-words}: what generated sites say, in lower
 * case. What is always said together is one word; names are words, numbers pairs of digits.
 * Punctuation, paths, and {@code link:} before what most lines are, are left out.
 */
final class SiteTokenizer {
  /** What the chat consists of besides messages; the first four are the usual marks. */
  private static final List<String> MARKS =
      List.of(
          "<|endoftext|>",
          "<|im_start|>",
          "<|im_end|>",
          "<unk>",
          "<|im_start|>user\n",
          "<|im_end|>\n<|im_start|>assistant\n",
          "<|im_end|>\n<|im_start|>user\n");

  /** How actions are written; the bracket after the number of a line is no word. */
  private static final List<String> ACTIONS = List.of("click[", "answer[", "back", "]");

  /** What stands around the words of a site, and what the agent is told. */
  private static final List<String> FRAME =
      List.of(
          "question:",
          "page:",
          "heading:",
          "text:",
          "outside link, not clickable: tourist office",
          "guide to the region",
          "see also",
          "district",
          "available actions: click[number], answer[text]",
          "available actions: click[number], back, answer[text]",
          "(the page is cut here)",
          "notice:",
          "the answer is right",
          "the answer is not right",
          "there is no page to go back to",
          "there is no",
          "on this page",
          "is no link",
          "the whole page is shown",
          "that link leads out of this site and cannot be followed",
          "the response has no action of the kind click[number], back or answer[text]");

  private static final String WORD = "(?<![a-z0-9/.-])[a-z]+(?![a-z0-9/-]*\\.html)";
  private static final String DIGITS = "(?<![a-z])[0-9][0-9]?";

  private final Set<String> vocabulary = new LinkedHashSet<>(MARKS);
  private final Pattern splitting;

  SiteTokenizer() {
    Set<String> phrases = new LinkedHashSet<>(FRAME);
    for (Fact fact : Fact.values()) {
      Stream.of(fact.question("|"), fact.sentence("|", "|"))
          .flatMap(text -> Stream.of(text.split("\\|", -1)))
          .map(said -> said.replaceAll("[.?]", "").strip().toLowerCase(Locale.ROOT))
          .filter(said -> !said.isEmpty())
          .forEach(phrases::add);
    }
    splitting =
        Pattern.compile(
            "(?:%s)(?! *(?:link|heading|text|outside))|(?<![a-z])(?:%s)(?![a-z])|(?!link:)%s|%s"
                .formatted(alternatives(ACTIONS), alternatives(phrases), WORD, DIGITS));
    vocabulary.addAll(ACTIONS);
    vocabulary.addAll(phrases);
    Stream.of(
            SiteWords.FIRST,
            SiteWords.KINDS,
            SiteWords.KINDS.stream().map(GeneratedSite::plural).toList(),
            SiteWords.DISTRICTS,
            SiteWords.TOWNS,
            SiteWords.GIVEN,
            SiteWords.FAMILY,
            SiteWords.MATERIALS,
            SiteWords.DAYS,
            SiteWords.COLOURS)
        .flatMap(List::stream)
        .forEach(name -> vocabulary.addAll(words(name)));
    IntStream.range(0, 10).mapToObj(String::valueOf).forEach(vocabulary::add);
    IntStream.range(0, 100).mapToObj("%02d"::formatted).forEach(vocabulary::add);
  }

  /** The words of {@code text}, known or not. */
  List<String> words(String text) {
    List<String> found = new ArrayList<>();
    Matcher matcher = splitting.matcher(text.toLowerCase(Locale.ROOT));
    while (matcher.find()) {
      found.add(matcher.group());
    }
    return found;
  }

  /** Whether {@code word} has a number. */
  boolean knows(String word) {
    return vocabulary.contains(word);
  }

  /** How many words have a number. */
  int size() {
    return vocabulary.size();
  }

  /** The content of {@code tokenizer.json}. */
  String json() {
    Gson gson =
        new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().serializeNulls().create();
    return gson.toJson(tree()) + "\n";
  }

  /** The longest first. */
  private static String alternatives(Iterable<String> texts) {
    List<String> all = new ArrayList<>();
    texts.forEach(all::add);
    return all.stream()
        .sorted(Comparator.comparing(String::length).reversed())
        .map(text -> text.replaceAll("[\\[\\]()]", "\\\\$0"))
        .collect(Collectors.joining("|"));
  }

  private JsonObject tree() {
    JsonObject tree = new JsonObject();
    tree.addProperty("version", "1.0");
    tree.add("truncation", JsonNull.INSTANCE);
    tree.add("padding", JsonNull.INSTANCE);
    JsonArray added = new JsonArray();
    for (int id = 0; id < MARKS.size(); id++) {
      added.add(mark(id));
    }
    tree.add("added_tokens", added);
    tree.add("normalizer", object("type", "Lowercase"));
    JsonObject split = object("type", "Split");
    split.add("pattern", object("Regex", splitting.pattern()));
    split.addProperty("behavior", "Removed");
    split.addProperty("invert", true);
    tree.add("pre_tokenizer", split);
    tree.add("post_processor", JsonNull.INSTANCE);
    // a space before each word and none between digits
    JsonObject space = object("type", "Replace");
    space.add("pattern", object("Regex", "^(?=[a-z(])"));
    space.addProperty("content", " ");
    tree.add("decoder", space);
    JsonObject model = object("type", "WordLevel");
    Map<String, Integer> ids = new LinkedHashMap<>();
    vocabulary.forEach(word -> ids.put(word, ids.size()));
    model.add("vocab", new Gson().toJsonTree(ids));
    model.addProperty("unk_token", "<unk>");
    tree.add("model", model);
    return tree;
  }

  private static JsonObject mark(int id) {
    JsonObject mark = new JsonObject();
    mark.addProperty("id", id);
    mark.addProperty("content", MARKS.get(id));
    for (String no : List.of("single_word", "lstrip", "rstrip", "normalized")) {
      mark.addProperty(no, false);
    }
    mark.addProperty("special", true);
    return mark;
  }

  private static JsonObject object(String name, String value) {
    JsonObject object = new JsonObject();
    object.addProperty(name, value);
    return object;
  }
}
