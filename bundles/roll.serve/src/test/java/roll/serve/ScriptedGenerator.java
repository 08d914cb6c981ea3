package roll.serve;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Generator;
import roll.testkit.Utf8Tokenizer;

/** A model that writes a fixed text, up to the token limit, and records the requests. */
final class ScriptedGenerator implements Generator {
  final List<GenerationRequest> asked = Collections.synchronizedList(new ArrayList<>());
  volatile String text = "Hello";

  @Override
  public CompletableFuture<List<Generation>> generate(List<GenerationRequest> requests) {
    asked.addAll(requests);
    return CompletableFuture.completedFuture(requests.stream().map(this::written).toList());
  }

  private Generation written(GenerationRequest request) {
    int[] all =
        IntStream.concat(
                IntStream.of(new Utf8Tokenizer().encode(text)), IntStream.of(Utf8Tokenizer.END))
            .toArray();
    int length = Math.min(all.length, request.sampling().maxNewTokens());
    int[] tokens = IntStream.of(all).limit(length).toArray();
    double[] logProbs = IntStream.range(0, length).mapToDouble(i -> -i / 4.0).toArray();
    return new Generation(tokens, logProbs, new double[length], length == all.length, 0);
  }
}
