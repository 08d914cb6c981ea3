package roll.cluster.inference.codec;

import java.util.Arrays;
import java.util.List;
import roll.api.image.Picture;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Sampling;
import roll.cluster.services.codec.ByteReader;
import roll.cluster.services.codec.ByteWriter;
import roll.cluster.services.codec.MalformedMessageException;

/** What is generated, and what it is generated from. */
public final class GenerationCodec {
  private GenerationCodec() {}

  /**
   * The requests of a call; equal samplings, as those of a call mostly are, are written once.
   *
   * @param pictures all that the requests show, of which the numbers are written
   */
  public static void write(
      ByteWriter out, List<GenerationRequest> requests, CallPictures pictures) {
    List<Sampling> samplings =
        requests.stream().map(GenerationRequest::sampling).distinct().toList();
    out.list(samplings, GenerationCodec::write);
    out.list(
        requests,
        (to, request) ->
            to.ints(request.prompt())
                .int32(samplings.indexOf(request.sampling()))
                .list(request.stopTokens(), ByteWriter::int32)
                .int64(request.seed())
                .int64(request.cacheSalt())
                .of(request.pictures(), pictures::write));
  }

  /**
   * As {@link #write(ByteWriter, List, CallPictures)} wrote them.
   *
   * @param pictures all that the requests show, in their order
   */
  public static List<GenerationRequest> requests(ByteReader in, List<Picture> pictures) {
    List<Sampling> samplings = in.list(GenerationCodec::sampling);
    return in.list(
        from ->
            new GenerationRequest(
                prompt(from),
                samplings.get(from.int32()),
                from.list(ByteReader::int32),
                from.int64(),
                from.int64(),
                CallPictures.read(from, pictures)));
  }

  private static int[] prompt(ByteReader in) {
    int[] prompt = in.ints();
    if (prompt.length == 0) {
      throw new MalformedMessageException("a prompt is empty");
    }
    return prompt;
  }

  private static void write(ByteWriter out, Sampling sampling) {
    out.float64(sampling.temperature())
        .int32(sampling.topK())
        .float64(sampling.topP())
        .float64(sampling.minP())
        .float64(sampling.repetitionPenalty())
        .int32(sampling.maxNewTokens())
        .int32(sampling.minNewTokens())
        .list(sampling.stopStrings(), ByteWriter::text)
        .list(sampling.choices(), ByteWriter::text);
  }

  private static Sampling sampling(ByteReader in) {
    return new Sampling(
        in.float64(),
        in.int32(),
        in.float64(),
        in.float64(),
        in.float64(),
        in.int32(),
        in.int32(),
        in.list(ByteReader::text),
        in.list(ByteReader::text));
  }

  /** A response; tokens that weights of one version drew one after another name it once. */
  public static void write(ByteWriter out, Generation generation) {
    out.ints(generation.tokens())
        .doubles(generation.logProbs())
        .doubles(generation.samplingLogProbs())
        .bool(generation.stopped());
    long[] versions = generation.weightVersions();
    int[] starts = starts(versions);
    out.ints(starts);
    for (int start : starts) {
      out.int64(versions[start]);
    }
  }

  /** Where another version begins. */
  private static int[] starts(long[] versions) {
    int[] starts = new int[versions.length];
    int count = 0;
    for (int i = 0; i < versions.length; i++) {
      if (i == 0 || versions[i] != versions[i - 1]) {
        starts[count++] = i;
      }
    }
    return Arrays.copyOf(starts, count);
  }

  /** As {@link #write(ByteWriter, Generation)} wrote it. */
  public static Generation generation(ByteReader in) {
    int[] tokens = in.ints();
    double[] logProbs = in.doubles();
    double[] samplingLogProbs = in.doubles();
    boolean stopped = in.bool();
    int[] starts = in.ints();
    if (starts.length == 0 ? tokens.length > 0 : starts[0] != 0) {
      throw new MalformedMessageException("tokens have no version");
    }
    long[] versions = new long[tokens.length];
    for (int i = 0; i < starts.length; i++) {
      int end = i + 1 < starts.length ? starts[i + 1] : tokens.length;
      if (end <= starts[i] || end > tokens.length) {
        throw new MalformedMessageException("the versions of tokens overlap");
      }
      Arrays.fill(versions, starts[i], end, in.int64());
    }
    return new Generation(tokens, logProbs, samplingLogProbs, stopped, versions);
  }
}
