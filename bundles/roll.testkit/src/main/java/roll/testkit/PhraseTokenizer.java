package roll.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The tokenizer of a shipped model for one environment: a token per word or phrase of that
 * environment, in lower case. Tests compare the shipped {@code tokenizer.json} with it.
 */
public final class PhraseTokenizer {
  /** Special tokens and the phrases between messages of a chat. */
  private static final List<String> MARKS =
      List.of(
          "<|endoftext|>",
          "<|im_start|>",
          "<|im_end|>",
          "<unk>",
          "<|im_start|>user\n",
          "<|im_end|>\n<|im_start|>assistant\n",
          "<|im_end|>\n<|im_start|>user\n");

  private final Set<String> vocabulary = new LinkedHashSet<>(MARKS);
  private final Pattern splitting;
  private final @Nullable String spaced;

  /**
   * Creates a tokenizer of the chat format alone.
   *
   * @param splitting pattern of a token; other text is dropped
   * @param spaced pattern of the position where decoding inserts a space; null for none
   */
  public PhraseTokenizer(String splitting, @Nullable String spaced) {
    this.splitting = Pattern.compile(splitting);
    this.spaced = spaced;
  }

  /** Adds {@code words} to the vocabulary. */
  public void learn(Iterable<String> words) {
    words.forEach(vocabulary::add);
  }

  /** Splits {@code text} into words, in the vocabulary or not. */
  public List<String> words(String text) {
    List<String> found = new ArrayList<>();
    Matcher matcher = splitting.matcher(text.toLowerCase(Locale.ROOT));
    while (matcher.find()) {
      found.add(matcher.group());
    }
    return found;
  }

  /** Returns whether {@code word} is in the vocabulary. */
  public boolean knows(String word) {
    return vocabulary.contains(word);
  }

  /** Returns the size of the vocabulary. */
  public int size() {
    return vocabulary.size();
  }

  /** Returns the content of {@code tokenizer.json}. */
  public String json() {
    Gson gson =
        new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().serializeNulls().create();
    return gson.toJson(tree()) + "\n";
  }

  /**
   * Fails unless the model {@code name} of {@code configs/models} has this tokenizer.
   *
   * @throws IOException if its files cannot be read
   */
  public void assertShipped(String name) throws IOException {
    Path folder = Path.of(System.getProperty("roll.root"), "configs/models", name);
    String made = json();
    Path here = Files.writeString(Path.of("target", name + "-tokenizer.json"), made);
    assertEquals(
        made,
        Files.readString(folder.resolve("tokenizer.json")),
        () -> "copy " + here.toAbsolutePath() + " there");
    JsonObject config =
        JsonParser.parseString(Files.readString(folder.resolve("config.json"))).getAsJsonObject();
    assertEquals(size(), config.get("vocab_size").getAsInt());
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
    tree.add("decoder", spaced == null ? JsonNull.INSTANCE : space(spaced));
    JsonObject model = object("type", "WordLevel");
    Map<String, Integer> ids = new LinkedHashMap<>();
    vocabulary.forEach(word -> ids.put(word, ids.size()));
    model.add("vocab", new Gson().toJsonTree(ids));
    model.addProperty("unk_token", "<unk>");
    tree.add("model", model);
    return tree;
  }

  private static JsonObject space(String place) {
    JsonObject space = object("type", "Replace");
    space.add("pattern", object("Regex", place));
    space.addProperty("content", " ");
    return space;
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
