package roll.torch.training;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.config.OptimizerName;
import roll.api.option.UserException;
import roll.torch.ComputeFingerprint;
import roll.torch.LinearBackends.Shape;

/** The file that says how far training has come and where it was computed. */
final class StateFileTest {
  private static final ComputeFingerprint HERE =
      new ComputeFingerprint(
          "AMD EPYC 9R45", "2.7.1", 2, new TreeSet<>(List.of(new Shape(896, 4864))));

  private final Path file;

  StateFileTest(@TempDir Path folder) {
    this.file = folder.resolve("state.json");
  }

  private StateFile read(String text) throws IOException {
    Files.writeString(file, text);
    return StateFile.read(file, HERE);
  }

  @Test
  void isReadAsItWasWritten() throws IOException {
    new StateFile(48, OptimizerName.ADAMW, HERE).write(file);
    assertEquals(
        """
        {"steps":48,"optimizer":"adamw","processor":"AMD EPYC 9R45","libtorch":"2.7.1","threads":2,\
        "linear":{"896x4864":"onednn"}}
        """,
        Files.readString(file));
    ComputeFingerprint other = new ComputeFingerprint("<a \"b\">\n", "", 64, new TreeSet<>());
    assertEquals(new StateFile(48, OptimizerName.ADAMW, HERE), StateFile.read(file, other));
    new StateFile(0, OptimizerName.ADAMW, other).write(file);
    assertEquals(new StateFile(0, OptimizerName.ADAMW, other), StateFile.read(file, HERE));
  }

  @Test
  void aSessionThatDoesNotSayWhereItComputesKeepsItsStepsAlone() throws IOException {
    new StateFile(48, OptimizerName.ADAMW, null).write(file);
    assertEquals("{\"steps\":48,\"optimizer\":\"adamw\"}\n", Files.readString(file));
    new StateFile(48, OptimizerName.ADAMW, HERE).write(file);
    assertNull(StateFile.read(file, null).machine());
  }

  /** Files of earlier versions, of later ones, and such that name libtorch's ways too. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"steps\": 7}",
        "{\"steps\": 7, \"threads\": 2, \"momentum\": {\"is\": [\"another's\"]}}",
        "{\"steps\": 7, \"linear\": {\"896x4864\": \"onednn\", \"128x896\": \"libtorch\"}}"
      })
  void whatIsNotSaidIsAsHere(String text) throws IOException {
    assertEquals(new StateFile(7, OptimizerName.ADAMW, HERE), read(text));
  }

  @Test
  void aLayerThatIsNotNamedIsLibtorchs() throws IOException {
    StateFile read = read("{\"steps\": 7, \"linear\": {}}");
    assertEquals(
        new StateFile(
            7,
            OptimizerName.ADAMW,
            new ComputeFingerprint("AMD EPYC 9R45", "2.7.1", 2, new TreeSet<>())),
        read);
  }

  @Test
  void anotherOptimizerIsRefused() throws IOException {
    Path trainer = file.resolveSibling("trainer");
    read("{\"steps\": 7}").require(trainer, OptimizerName.ADAMW);
    read("{\"steps\": 7, \"optimizer\": \"muon\"}").require(trainer, OptimizerName.MUON);
    assertEquals(
        trainer
            + ": is the state of optimizer adamw, the run has muon: resume with adamw, or start"
            + " from the weights",
        userError(() -> read("{\"steps\": 7}").require(trainer, OptimizerName.MUON)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}                                      | steps: expected an integer from 0 to 999999999, found nothing
                                                  | steps: expected an integer from 0 to 999999999, found nothing
          {"steps": "7"}                          | steps: expected an integer from 0 to 999999999, found "7"
          {"steps": 1.5}                          | steps: expected an integer from 0 to 999999999, found 1.5
          {"steps": 1e999999999}                  | steps: expected an integer from 0 to 999999999, found 1e999999999
          {"steps": 10000000000}                  | steps: expected an integer from 0 to 999999999, found 10000000000
          {"steps": 7, "threads": 0}              | threads: expected an integer from 1 to 999999999, found 0
          {"steps": 7, "threads": null}           | threads: expected an integer from 1 to 999999999, found null
          {"steps": 7, "threads": [2]}            | threads: expected an integer from 1 to 999999999, found [2]
          {"steps": 7, "processor": 5}            | processor: expected a text, found 5
          {"steps": 7, "libtorch": {}}            | libtorch: expected a text, found {}
          {"steps": 7, "linear": ["onednn"]}      | linear: expected an object such as {"896x4864": "onednn"}, found ["onednn"]
          {"steps": 7, "linear": {"8 by 8": ""}}  | linear: expected shapes such as 896x4864, found "8 by 8"
          {"steps": 7, "linear": {"8x8": "mkl"}}  | linear.8x8: expected libtorch or onednn, found "mkl"
          {"steps": 7, "linear": {"8x8": true}}   | linear.8x8: expected libtorch or onednn, found true
          {"steps": 7, "optimizer": "lion"}       | optimizer: expected adamw or adamw_8bit or muon, found "lion"
          {"steps": 7                             | is not the state of a checkpoint
          [7]                                     | is not the state of a checkpoint
          """)
  void whatIsDamagedIsRefusedByNameAndField(String text, String problem) {
    assertEquals(file + ": " + problem, userError(() -> read(text == null ? "" : text)));
  }

  @Test
  void whatIsHugeIsRefused() {
    String text = "{\"steps\": 7, \"processor\": \"" + "x".repeat(70_000) + "\"}";
    assertEquals(file + ": expected at most 65536 bytes, found 70029", userError(() -> read(text)));
    String nested = "{\"steps\": " + "[".repeat(60_000);
    assertThrows(UserException.class, () -> read(nested));
    assertTrue(
        userError(() -> StateFile.read(file.resolveSibling("none.json"), HERE))
            .contains("no checkpoint of a trained model"));
  }
}
