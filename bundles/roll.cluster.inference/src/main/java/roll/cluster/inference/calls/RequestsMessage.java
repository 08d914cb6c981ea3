package roll.cluster.inference.calls;

import java.util.List;
import roll.api.image.Picture;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Sampling;
import roll.cluster.inference.codec.CallPictures;

/**
 * The requests of a call. Equal samplings, as those of a call mostly are, are there once, and
 * pictures by their numbers.
 */
public record RequestsMessage(List<Sampling> samplings, List<Request> requests) {
  /**
   * One of them.
   *
   * @param sampling its number
   * @param pictures their numbers
   */
  record Request(
      int[] prompt,
      int sampling,
      List<Integer> stopTokens,
      long seed,
      long cacheSalt,
      int[] pictures) {
    Request {
      if (prompt.length == 0) {
        throw new IllegalArgumentException("a prompt is empty");
      }
    }
  }

  /**
   * That of {@code requests}.
   *
   * @param pictures all that they show
   */
  public static RequestsMessage of(List<GenerationRequest> requests, CallPictures pictures) {
    List<Sampling> samplings =
        requests.stream().map(GenerationRequest::sampling).distinct().toList();
    return new RequestsMessage(
        samplings,
        requests.stream()
            .map(
                request ->
                    new Request(
                        request.prompt(),
                        samplings.indexOf(request.sampling()),
                        request.stopTokens(),
                        request.seed(),
                        request.cacheSalt(),
                        pictures.numbers(request.pictures())))
            .toList());
  }

  /**
   * The requests.
   *
   * @param pictures all that came, in their order
   */
  public List<GenerationRequest> requests(List<Picture> pictures) {
    return requests.stream()
        .map(
            request ->
                new GenerationRequest(
                    request.prompt,
                    samplings.get(request.sampling),
                    request.stopTokens,
                    request.seed,
                    request.cacheSalt,
                    CallPictures.numbered(request.pictures, pictures)))
        .toList();
  }
}
