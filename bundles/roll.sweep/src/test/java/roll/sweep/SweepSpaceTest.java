package roll.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static roll.testkit.UserErrors.userError;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The values of a sweep, and the names of combinations. */
class SweepSpaceTest {
  @Test
  void everyCombinationIsThereTheLastKeyChangingFirst() {
    SweepSpace space =
        SweepSpace.of(List.of("max_steps=5", "actor_train.lr=[1e-3, 5e-4]", "seed=[1,2]"));
    assertEquals(List.of("max_steps=5"), space.fixed());
    assertEquals(List.of("actor_train.lr", "seed"), space.keys());
    assertEquals(
        List.of("lr=1e-3 seed=1", "lr=1e-3 seed=2", "lr=5e-4 seed=1", "lr=5e-4 seed=2"),
        space.combinations().stream().map(Combination::label).toList());
    assertEquals(
        List.of("actor_train.lr=5e-4", "seed=2"), space.combinations().getLast().settings());
  }

  @Test
  void listsWithinListsAreValues() {
    SweepSpace space =
        SweepSpace.of(List.of("tags=[[a,b],[c]]", "p={x: [1,2]}", "track_with=[[jsonl, chart]]"));
    assertEquals(List.of("p={x: [1,2]}", "track_with=[jsonl, chart]"), space.fixed());
    assertEquals(List.of(new SweepAxis("tags", List.of("[a,b]", "[c]"))), space.axes());
    assertEquals(
        List.of("{a: 1, b: 2}", "'x, y]'", "it's"),
        SweepSpace.of(List.of("k=[{a: 1, b: 2}, 'x, y]' ,it's]")).axes().getFirst().values());
  }

  /** Keys with equal last parts are shown in full; the seed comes last in any order of keys. */
  @Test
  void foldersAreNamedByTheValues() {
    assertEquals("seed=7", new Combination(Map.of("seed", "7")).folder());
    SweepSpace space = SweepSpace.of(List.of("seed=[1]", "a.lr=[1]", "b.lr=[2]", "c.d=[x]"));
    assertEquals("a.lr=1_b.lr=2_d=x_seed=1", space.combinations().getFirst().folder());
  }

  /** Paths and long texts become names without what a shell or a file system takes otherwise. */
  @Test
  void whatIsNoNameIsMadeOneAndKeptApart() {
    String one = new Combination(Map.of("pretrain", "out/a b")).folder();
    String other = new Combination(Map.of("pretrain", "out/a/b")).folder();
    assertEquals("pretrain=out-a-b-", one.substring(0, 17));
    assertEquals(23, one.length());
    assertEquals(one.substring(0, 17), other.substring(0, 17));
    assertEquals(false, one.equals(other));
    assertEquals(52, new Combination(Map.of("key", "x".repeat(99))).folder().length() + 1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "seed | sweep: expected key=value or key=[a,b], found 'seed'",
        "=[1] | sweep: expected key=value or key=[a,b], found '=[1]'",
        "seed=[] | sweep: seed: expected a list such as [1,2,3], found []: the list is empty",
        "seed=[1,,2] | sweep: seed: expected a list such as [1,2,3], found [1,,2]: value 2 is"
            + " empty",
        "seed=[1,2 | sweep: seed: expected a list such as [1,2,3], found [1,2: the list is not"
            + " closed",
        "seed=[1]2 | sweep: seed: expected a list such as [1,2,3], found [1]2: something follows"
            + " the list",
        "seed=[1}] | sweep: seed: expected a list such as [1,2,3], found [1}]: '}' closes nothing",
        "seed=['1] | sweep: seed: expected a list such as [1,2,3], found ['1]: a quote is not"
            + " closed",
        "seed=[1,2,1] | sweep: seed: 1 occurs twice in [1,2,1]",
        "lr=[1e-3,0.001] | sweep: lr: 1e-3 occurs twice in [1e-3,0.001]",
        "seed=3 | sweep: nothing to sweep: give a key a list, such as seed=[1,2,3]",
        "exp_name=[a,b] | sweep: exp_name names the folder and needs a single value",
        "resume_from_checkpoint=true | sweep: resume_from_checkpoint is set by the sweep itself:"
            + " omit it"
      })
  void mistakesAreOneLine(String word, String line) {
    assertEquals(line, complaint(List.of(word)));
  }

  @Test
  void aKeyIsGivenOnceAndThereAreNotTooManyCombinations() {
    assertEquals("sweep: seed is given twice", complaint(List.of("seed=[1]", "seed=2")));
    String many = IntStream.range(0, 20).boxed().toList().toString();
    assertEquals(
        "sweep: 400 combinations are too many: at most 200",
        complaint(List.of("seed=" + many, "max_steps=" + many)));
  }

  private static String complaint(List<String> words) {
    return userError(() -> SweepSpace.of(words));
  }
}
