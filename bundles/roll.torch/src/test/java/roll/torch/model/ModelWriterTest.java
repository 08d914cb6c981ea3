package roll.torch.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.huggingface.ModelFolder;
import roll.huggingface.TensorFormat;

final class ModelWriterTest {
  /** Without the code that auto_map names, a saved tokenizer does not load where it is trusted. */
  @Test
  void codeThatTheTokenizerNamesIsSavedWithIt(@TempDir Path folder) throws IOException {
    Path source = Path.of(System.getProperty("roll.root"), "configs/models/frozen-lake-tiny");
    ModelFolder model = new ModelFolder(source, StoredModels.TIED, false, null);
    Files.writeString(folder.resolve("other.txt"), "stays");
    ModelWriter.model(folder, model, StoredModels.model(StoredModels.TIED), TensorFormat.F32);
    for (String name : new String[] {"file_tokenizer.py", "tokenizer_config.json"}) {
      assertEquals(Files.readString(source.resolve(name)), Files.readString(folder.resolve(name)));
    }
    assertEquals("stays", Files.readString(folder.resolve("other.txt")));
    assertFalse(Files.exists(folder.resolve("preprocessor_config.json")));
  }
}
