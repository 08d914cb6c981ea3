package roll.torch.huggingface;

import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import java.io.IOException;
import java.io.InputStream;
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
import roll.torch.Devices;

/** Reads {@code tokenizer.json} with the Hugging Face tokenizers library. */
@Component(name = "roll.torch.tokenizers")
public final class HuggingFaceTokenizers implements TokenizerLoader {
  private final Devices devices;

  /** A loader that shares the native libraries of {@code devices}. */
  @Activate
  public HuggingFaceTokenizers(@Reference Devices devices) {
    this.devices = devices;
  }

  @Override
  public Tokenizer load(Path folder) {
    Path file = PeftFolder.find(folder, "tokenizer.json");
    if (!Files.isRegularFile(file)) {
      throw new UserException(file + ": no such file; a model folder needs its tokenizer");
    }
    Path home = Objects.requireNonNull(file.getParent());
    Vocabulary vocabulary = Vocabulary.read(file);
    AddedTokens added = AddedTokens.addTo(vocabulary, folder);
    List<Integer> stops = SpecialTokens.stops(folder, vocabulary);
    devices.whole().load();
    Map<String, String> options = Map.of("truncation", "false", "padding", "false");
    try (InputStream stream = added.appendTo(file)) {
      return new TextTokenizer(
          home, HuggingFaceTokenizer.newInstance(stream, options), vocabulary, stops);
    } catch (IOException | RuntimeException | LinkageError failure) {
      String reason = String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
      throw new UserException(file + ": cannot be used as a tokenizer: " + reason, failure);
    }
  }
}
