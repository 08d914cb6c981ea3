package roll.env.webshop.catalogue;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import roll.env.webshop.catalogue.ProductWords.Kind;

/**
 * The tokenizer of {@code configs/models/webshop-words}: a word is what the generated catalogue
 * says in one breath, such as {@code machine wash} or {@code 3.4 fl oz (pack of 1)}; in lower case,
 * without what separates words. Products are called by their ranks.
 */
final class ShopTokenizer {
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

  /** How actions are written; no space follows. */
  private static final List<String> ACTIONS = List.of("click[", "search[", "]");

  /** What the shop and its instructions say around the products. */
  private static final List<String> FRAME =
      List.of(
          "find me",
          "with",
          "for",
          "and",
          "and price lower than",
          "dollars",
          "webshop",
          "instruction:",
          "search",
          "back to search",
          "page",
          "total results:",
          "next >",
          "< prev",
          "to",
          "price:",
          "rating:",
          "description",
          "features",
          "reviews",
          "attributes",
          "buy now",
          "made for",
          "n.a.",
          "thank you for shopping with us",
          "your score",
          "min",
          "max");

  private static final String CENTS = "(?:00|99)(?![0-9])";
  private static final String DOLLARS = "[0-9]+(?=\\." + CENTS + ")";
  private static final String WORD =
      "(?!(?<=[0-9]\\.)" + CENTS + "|sep\\])[a-z0-9]+(?:['.-][a-z0-9]+)*";
  private static final int DEAREST = 560;

  private final ProductWords words = ProductWords.load();
  private final Set<String> phrases = new LinkedHashSet<>();
  private final Set<String> vocabulary = new LinkedHashSet<>(MARKS);

  private final Pattern splitting;

  ShopTokenizer() {
    phrases.addAll(FRAME);
    phrases(words.series());
    words.departments().values().forEach(department -> phrases(department.brands()));
    words.values().values().forEach(this::phrases);
    for (Kind kind : words.kinds()) {
      phrases(List.of(kind.query()));
      phrases(kind.options().keySet());
      Stream.of(kind.names(), kind.materials(), kind.how(), kind.having(), kind.purpose())
          .forEach(this::phrases);
    }
    splitting = Pattern.compile(pattern());
    vocabulary.addAll(ACTIONS);
    vocabulary.addAll(phrases);
    // "Stereo Sound Bar" is read as "stereo sound" and "bar"
    words.kinds().forEach(kind -> kind.names().forEach(name -> vocabulary.addAll(single(name))));
    words.departments().values().forEach(department -> rest(department.sentences()));
    words.departments().values().forEach(department -> rest(department.reviews()));
    rest(words.requests());
    IntStream.rangeClosed(0, DEAREST).mapToObj(String::valueOf).forEach(vocabulary::add);
    IntStream.rangeClosed(30, 50).mapToObj(tenths -> "" + tenths / 10.0).forEach(vocabulary::add);
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

  private static List<String> single(String name) {
    return List.of(name.toLowerCase(Locale.ROOT).split(" ", -1));
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

  private void phrases(Collection<String> said) {
    said.forEach(phrase -> phrases.add(phrase.toLowerCase(Locale.ROOT)));
  }

  /** The single words of sentences, which are read where somebody looks for details. */
  private void rest(List<String> sentences) {
    sentences.forEach(sentence -> vocabulary.addAll(words(sentence)));
  }

  /** The longest phrase wins; a phrase is never a part of a longer word; cents are no words. */
  private String pattern() {
    return "(?:%s)(?<!\\[sep\\])|(?<![a-z0-9])(?:%s|%s|%s)"
        .formatted(
            String.join("|", ACTIONS).replaceAll("[\\[\\]]", "\\\\$0"),
            PhraseTree.of(phrases).pattern(),
            DOLLARS,
            WORD);
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
    split.add("pattern", object("Regex", pattern()));
    split.addProperty("behavior", "Removed");
    split.addProperty("invert", true);
    tree.add("pre_tokenizer", split);
    tree.add("post_processor", JsonNull.INSTANCE);
    tree.add("decoder", JsonNull.INSTANCE);
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
