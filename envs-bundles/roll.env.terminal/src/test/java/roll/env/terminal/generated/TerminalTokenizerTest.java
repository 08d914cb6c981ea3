package roll.env.terminal.generated;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** The model of {@code configs/terminal.yaml} has a token for every word of generated tasks. */
@NullMarked
class TerminalTokenizerTest {
  @Test
  void everyWordIsAToken() throws IOException {
    Path file =
        Path.of(System.getProperty("roll.root"), "configs/models/terminal-tiny/tokenizer.json");
    Set<String> missing = new TreeSet<>();
    Stream.of(Words.FOLDERS, Words.NAMES, Words.CONTENT).forEach(missing::addAll);
    PythonFunction.ALL.forEach(function -> missing.add(function.name()));
    for (JsonElement token :
        JsonParser.parseString(Files.readString(file))
            .getAsJsonObject()
            .getAsJsonArray("added_tokens")) {
      missing.remove(token.getAsJsonObject().get("content").getAsString());
    }
    assertEquals(Set.of(), missing);
  }
}
