package roll.huggingface;

import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.model.Tokenizer;
import roll.api.model.TokenizerLoader;
import roll.api.option.UserException;
import roll.text.ModelFolderHint;

/** Reads {@code tokenizer.json} with the Hugging Face tokenizers library. */
@Component(name = "roll.huggingface.tokenizers")
public final class HuggingFaceTokenizers implements TokenizerLoader {
  private static final long LARGEST = 256L << 20;

  private final NativeLibraries libraries;

  /** Creates a loader that loads {@code libraries} before its first tokenizer. */
  @Activate
  public HuggingFaceTokenizers(@Reference NativeLibraries libraries) {
    this.libraries = libraries;
  }

  @Override
  public Tokenizer load(Path folder) {
    Path file = PeftFolder.find(folder, "tokenizer.json");
    if (!Files.isRegularFile(file)) {
      throw new UserException(
          file + ": no such file; a model folder needs its tokenizer" + ModelFolderHint.of(folder));
    }
    Path home = Objects.requireNonNull(file.getParent());
    String text = read(file);
    Vocabulary vocabulary = Vocabulary.read(file, text);
    AddedTokens added = AddedTokens.addTo(vocabulary, folder);
    List<Integer> stops = SpecialTokens.stops(folder, vocabulary);
    TokenizerParts parts =
        TokenizerParts.of(file.toString(), vocabulary.parts(), vocabulary.size());
    libraries.load();
    String json = added.appendTo(text);
    try {
      if (!parts.plain() || !vocabulary.exact()) {
        TokenizerTrial.run(json, vocabulary.size());
      }
      return new TextTokenizer(home, open(json), vocabulary, parts, stops);
    } catch (IOException | RuntimeException | LinkageError failure) {
      String reason = String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
      throw new UserException(file + ": cannot be used as a tokenizer: " + reason, failure);
    }
  }

  private static HuggingFaceTokenizer open(String json) throws IOException {
    Map<String, String> options = Map.of("truncation", "false", "padding", "false");
    InputStream bytes = new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8));
    return HuggingFaceTokenizer.newInstance(bytes, options);
  }

  private static String read(Path file) {
    try {
      long size = Files.size(file);
      if (size > LARGEST) {
        throw new UserException(
            "%s: is not a tokenizer: it has %d MB; at most %d are allowed"
                .formatted(file, size >> 20, LARGEST >> 20));
      }
      return Files.readString(file);
    } catch (IOException e) {
      String reason =
          e instanceof CharacterCodingException ? "it is not UTF-8" : "it cannot be read";
      throw new UserException(file + ": is not a tokenizer: " + reason, e);
    }
  }
}
